import { isTextName } from '#contracts/file-kinds.js';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { writeAndValidate } from './write-and-validate.js';

const MODULES = join(import.meta.dirname, '../../node_modules');
const FOLDERS = [MODULES, '/usr/share/doc', '/usr/lib/python3', '/usr/share/perl'];
const DOCUMENT =
  /^(?:readme|changelog|changes|news|history|contributing|todo|copyright|authors|license|faq|install|security)\b|\.(?:md|txt|rst)$/i;
const COUNT = 500;
const NAMES = ['source.txt', 'source.md', 'source.log', 'source.rst', 'source'];
/** Packages whose folders contain the documentation, code and settings of their repository. */
const PACKAGES = [
  ...['fastify', 'undici', 'pino', 'handlebars'],
  ...['eslint/node_modules/json-schema-traverse', 'commander', 'katex', 'mustache'],
];
const MAX_BYTES = 300_000;
const MAX_FILES = 120;

/** Returns paths of files below a folder with wanted names; none if the folder does not exist. */
async function filesBelow(folder: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && isWanted(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Returns the text of a file; null if the product would ask a person about it (other encoding) or it is empty. */
async function textOf(path: string): Promise<string | null> {
  const bytes = await readFile(path);
  if (bytes.length === 0 || bytes.length > MAX_BYTES || bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

describe('D26 real text files', () => {
  it(`${COUNT} of packages and system documentation reach 100 % with every text extension`, async () => {
    const paths = (
      await Promise.all(FOLDERS.map((folder) => filesBelow(folder, (name) => DOCUMENT.test(name))))
    ).flat();
    const step = Math.max(1, Math.floor(paths.length / COUNT));
    const failures: object[] = [];
    let count = 0;
    for (let index = 0; index < paths.length && count < COUNT; index += step) {
      const text = await textOf(paths[index] as string);
      if (text === null) continue;
      count += 1;
      for (const name of NAMES) {
        const { verdict, coverage } = await writeAndValidate({ [name]: text });
        if (verdict.length > 0 || coverage !== 1)
          failures.push({ path: paths[index], name, verdict, coverage });
      }
    }
    expect(failures).toEqual([]);
    expect(count).toBeGreaterThan(COUNT / 2);
  }, 3_600_000);

  it.each(PACKAGES)(
    '%s as a whole folder reaches 100 %',
    async (name) => {
      const folder = join(MODULES, name);
      const paths = (await filesBelow(folder, isTextName))
        .filter((path) => !relative(folder, path).includes('node_modules'))
        .slice(0, MAX_FILES);
      const texts = await Promise.all(
        paths.map(async (path) => [relative(folder, path), await textOf(path)] as const),
      );
      const files = Object.fromEntries(
        texts.flatMap(([path, text]) => (text === null ? [] : [[path, text]])),
      );
      const { verdict, coverage } = await writeAndValidate(files);
      expect({ verdict, coverage }).toEqual({ verdict: [], coverage: 1 });
    },
    3_600_000,
  );
});
