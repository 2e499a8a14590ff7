import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Groups of messages that the first page shows. Messages of all other groups are loaded when they are needed. */
const FIRST = [
  ...['shell', 'nav', 'navGroup', 'account', 'home', 'newDocument', 'leftOut', 'list'],
  ...['kind', 'question', 'runStatus', 'problem', 'removal', 'dialog'],
];
const NAME = /^messages:(\w+)$/;

/**
 * Divides the messages of each language into those of the first page and the rest, which is ten times as long.
 * `import addresses from 'messages:en'` returns the addresses of both files.
 */
export const firstMessages = (folder: string): Plugin => ({
  name: 'first-messages',
  resolveId: (id) => (NAME.test(id) ? `\0${id}` : null),
  load(id) {
    const language = NAME.exec(id.slice(1))?.[1];
    if (!id.startsWith('\0') || language === undefined) return null;
    const groups = Object.entries(
      JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Record<string, object>,
    );
    const addressOf = (part: string, isFirst: boolean) => {
      const chosen = Object.fromEntries(groups.filter(([name]) => FIRST.includes(name) === isFirst));
      const name = `${language}-${part}.json`;
      const file = this.emitFile({ type: 'asset', name, source: JSON.stringify(chosen) });
      return `${part}: import.meta.ROLLUP_FILE_URL_${file}`;
    };
    return `export default { ${addressOf('first', true)}, ${addressOf('rest', false)} };`;
  },
});
