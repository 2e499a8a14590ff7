import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { Locale } from '../../libs/contracts/phrases/catalogue.js';

/** Groups of messages that the first page shows. Messages of all other groups are loaded when they are needed. */
const FIRST = [
  ...['shell', 'nav', 'account', 'home', 'newDocument', 'leftOut', 'list'],
  ...['kind', 'waiting', 'runStatus', 'bookStatus', 'decision', 'problem', 'removal', 'dialog'],
];
const NAME = /^texts:(\w+)$/;

/**
 * Divides the texts of each language into the messages of the first page, the rest, which is ten times as long, and the
 * service's texts. `import addresses from 'texts:de'` returns the addresses of the three files.
 *
 * @param folder of the locales
 */
export const textFiles = (folder: string): Plugin => ({
  name: 'text-files',
  resolveId: (id) => (NAME.test(id) ? `\0${id}` : null),
  load(id) {
    const language = NAME.exec(id.slice(1))?.[1];
    if (!id.startsWith('\0') || language === undefined) return null;
    const { studio, service } = JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Locale;
    const groups = (isFirst: boolean) =>
      Object.fromEntries(Object.entries(studio).filter(([name]) => FIRST.includes(name) === isFirst));
    const files = {
      first: groups(true),
      rest: groups(false),
      service: Object.assign({}, ...Object.values(service)) as object,
    };
    const addresses = Object.entries(files).map(([part, texts]) => {
      const name = `${language}-${part}.json`;
      const file = this.emitFile({ type: 'asset', name, source: JSON.stringify(texts) });
      return `${part}: import.meta.ROLLUP_FILE_URL_${file}`;
    });
    return `export default { ${addresses.join(', ')} };`;
  },
});

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
