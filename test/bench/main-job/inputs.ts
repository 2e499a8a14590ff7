import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { denseDocument, logDocument } from '../convert/inputs.js';

/** A folder to write from. */
export interface MainJobCase {
  name: string;
  /** @param root of the repository */
  make(folder: string, root: string): Promise<void>;
}

const MB = 1_000_000;
const READMES = 20;
const CODE_FILES = 160;
const LONG_LINE = 341_000;

/** Folders with everyday work without issues and with large inputs; the first is also measured cold. */
export const CASES: readonly MainJobCase[] = [
  {
    name: 'incident',
    make: (folder, root) => cp(join(root, 'examples/incident'), folder, { recursive: true }),
  },
  { name: 'readmes20', make: readmes },
  { name: 'files160', make: codeFiles },
  { name: 'dense1', make: (folder) => writeFile(join(folder, 'dense.md'), denseDocument(MB)) },
  { name: 'log10', make: (folder) => writeFile(join(folder, 'service.log'), logDocument(10 * MB)) },
  { name: 'longLine', make: (folder) => writeFile(join(folder, 'data.json'), longLine()) },
];

/** READMEs of installed packages: Markdown that was not written for this benchmark. */
async function readmes(folder: string, root: string): Promise<void> {
  const modules = join(root, 'node_modules');
  let found = 0;
  for (const name of (await readdir(modules)).sort()) {
    const text = await readFile(join(modules, name, 'README.md'), 'utf8').catch(() => '');
    if (text.length < 2_000 || text.length > 20_000) continue;
    await writeFile(join(folder, `${name}.md`), text);
    if (++found === READMES) return;
  }
}

/** Small Go files, each with different functions and comments. */
async function codeFiles(folder: string): Promise<void> {
  for (let i = 0; i < CODE_FILES; i++) {
    const functions = Array.from(
      { length: 4 + (i % 5) },
      (_, k) =>
        `// Step${k} handles part ${k} of job ${i}.\nfunc Step${k}(input []byte) (int, error) {\n\tif len(input) < ${i + k} {\n\t\treturn 0, fmt.Errorf("job ${i}: too short: %d", len(input))\n\t}\n\treturn len(input) * ${k + 1}, nil\n}\n`,
    );
    const source = `package job${i}\n\nimport "fmt"\n\n${functions.join('\n')}`;
    await writeFile(join(folder, `job_${String(i).padStart(3, '0')}.go`), source);
  }
}

/** Data in one line, as programs write it. */
function longLine(): string {
  const entries: string[] = [];
  for (let length = 0; length < LONG_LINE; length += entries.at(-1)?.length ?? 0)
    entries.push(
      `{"id":${entries.length},"name":"entry ${entries.length}","tags":["a","b"],"ratio":0.${entries.length}},`,
    );
  return `[${entries.join('')}null]\n`;
}
