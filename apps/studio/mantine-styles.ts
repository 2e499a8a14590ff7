import type { Plugin } from 'vite';

/** Path of the modules in which Mantine's components name their classes. */
const CLASS_NAMES = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;

/** Style sheet with the variables of all palettes of Mantine, on every page. */
const PALETTES = /@mantine\/core\/styles\/default-css-variables\.layer\.css$/;

/** The variables of palettes that the studio does not use: 1 kB of the first page. */
const UNUSED_PALETTES = /--mantine-color-(?:pink|grape|violet|cyan|teal|lime)-[\w-]+:[^;]*;/g;

/**
 * Adds the styles of each Mantine component that is used to the file with the component. The style sheet of all
 * components is 255 kB and would delay the first paint. The styles are in a layer, so that `studio.css` takes
 * precedence in any order.
 */
export const mantineStyles = (): Plugin => ({
  name: 'mantine-styles',
  transform(code, id) {
    if (PALETTES.test(id)) return { code: code.replace(UNUSED_PALETTES, ''), map: null };
    const component = CLASS_NAMES.exec(id)?.[1];
    if (component === undefined) return null;
    return { code: `import '@mantine/core/styles/${component}.layer.css';\n${code}`, map: null };
  },
});
