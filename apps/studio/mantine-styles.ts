import type { Plugin } from 'vite';

/** Path of the modules in which Mantine's components name their classes. */
const CLASS_NAMES = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;

/**
 * Adds the styles of each Mantine component that is used to the file with the component. The style sheet of all
 * components is 255 kB and would delay the first paint. The styles are in a layer, so that `studio.css` takes
 * precedence in any order.
 */
export const mantineStyles = (): Plugin => ({
  name: 'mantine-styles',
  transform(code, id) {
    const component = CLASS_NAMES.exec(id)?.[1];
    if (component === undefined) return null;
    return { code: `import '@mantine/core/styles/${component}.layer.css';\n${code}`, map: null };
  },
});
