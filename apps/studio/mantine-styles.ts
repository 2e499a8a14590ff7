import type { Plugin } from 'vite';

/** Where a component of Mantine names its classes. */
const CLASS_NAMES = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;

/**
 * The styles of those components of Mantine that are used, each with the file that its component is built into: the sheet of all
 * components is 255 kB, and nothing is painted before it has come. They stand in a layer, so that `studio.css` outweighs them in
 * whatever order they come.
 */
export const mantineStyles = (): Plugin => ({
  name: 'mantine-styles',
  transform(code, id) {
    const component = CLASS_NAMES.exec(id)?.[1];
    if (component === undefined) return null;
    return { code: `import '@mantine/core/styles/${component}.layer.css';\n${code}`, map: null };
  },
});
