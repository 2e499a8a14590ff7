import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { Locale } from '../../libs/contracts/phrases/catalogue.js';

/** Groups of messages that the first page shows. Messages of all other groups are loaded when they are needed. */
const FIRST = [
  ...['shell', 'nav', 'account', 'home', 'newDocument', 'leftOut', 'list'],
  ...['kind', 'question', 'runStatus', 'bookStatus', 'decision', 'problem', 'removal', 'dialog'],
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
      // The service sends its English texts itself.
      service: language === 'en' ? {} : Object.assign({}, ...Object.values(service)),
    };
    const addresses = Object.entries(files).map(([part, texts]) => {
      const name = `${language}-${part}.json`;
      const file = this.emitFile({ type: 'asset', name, source: JSON.stringify(texts) });
      return `${part}: import.meta.ROLLUP_FILE_URL_${file}`;
    });
    return `export default { ${addresses.join(', ')} };`;
  },
});
