import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unzipSync } from 'fflate';
import { itWith } from '#testing/programs.js';
import { until } from '#testing/until.js';
import { convertWithLibreOffice } from './libre-office.js';

const MINUTES = 120_000;
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Starts a program in place of LibreOffice that notes its process and its folder, and never ends. */
const PROGRAM = `#!/bin/sh
for last; do :; done
echo "$$ $last" > "$0.tmp"
mv "$0.tmp" "$0.started"
exec sleep 1000000
`;

/** Converts a file with a program, in a process that is killed. */
const PARENT = `const [module, program] = process.argv.slice(1);
const { convertWithLibreOffice } = await import(module);
await convertWithLibreOffice(new Uint8Array([1]), { from: 'doc', to: 'docx', timeLimitMs: 3_600_000, memoryMb: 1_000, program });`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('LibreOffice', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  itWith('soffice')('B8 loads neither addresses nor other files that a file links', async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.setHeader('content-type', 'image/png').end(PICTURE);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const picture = join(folder, 'secret.png');
    await writeFile(picture, PICTURE);
    const links = [
      `http://127.0.0.1:${port}/a.png`,
      `http://localhost:${port}/b.png`,
      pathToFileURL(picture).href,
    ];
    const html = Buffer.from(links.map((link) => `<p>Words<img src="${link}"></p>`).join(''));
    const convert = (
      bytes: Uint8Array,
      more: { from: string; to: string; filter?: string; inputFilter?: string },
    ) => convertWithLibreOffice(bytes, { timeLimitMs: MINUTES, ...more });
    const doc = await convert(html, { from: 'html', to: 'doc', filter: 'MS Word 97' });
    const linked = ['latin1', 'utf16le'] as const;
    expect(linked.some((encoding) => doc.toString(encoding).includes('a.png'))).toBe(true);
    const files = [
      await convert(html, { from: 'doc', to: 'docx', filter: 'MS Word 2007 XML' }),
      await convert(doc, { from: 'doc', to: 'docx', inputFilter: 'MS Word 97' }),
    ];
    for (const file of files) {
      const parts = Object.keys(unzipSync(file));
      expect(parts.filter((part) => part.startsWith('word/media/'))).toEqual([]);
    }
    expect(requests).toEqual([]);
    server.close();
  });

  it('X4 leaves neither a process nor a file behind if its caller is killed', async () => {
    const program = join(folder, 'office');
    await writeFile(program, PROGRAM);
    await chmod(program, 0o755);
    const module = new URL('../../dist/libs/office/libre-office.js', import.meta.url).href;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT, module, program]);
    await until('the program to start', () => existsSync(`${program}.started`));
    const [pid = '', input = ''] = (await readFile(`${program}.started`, 'utf8')).trim().split(' ');
    expect(isAlive(Number(pid))).toBe(true);
    expect(existsSync(input)).toBe(true);
    parent.kill('SIGKILL');
    await until('the program to be gone', () => !isAlive(Number(pid)));
    await until('the file to be gone', () => !existsSync(join(input, '..')));
  });

  it('B8 ends at its time limit', async () => {
    const program = join(folder, 'slow');
    await writeFile(program, PROGRAM);
    await chmod(program, 0o755);
    const conversion = { from: 'doc', to: 'docx', timeLimitMs: 500, program };
    await expect(convertWithLibreOffice(PICTURE, conversion)).rejects.toThrow('took longer than 500 ms');
  });
});
