import { succeedCli } from '#testing/cli.js';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TEXT = `# Żuraw ärger

The crane stood at 10:00 on 2026-03-29. See ![plan](plan.svg) and [the note](#second).

| Hour | kWh |
| ---: | ---: |
| 2 | 4.5 |
| 10 | -1.25 |

# Second

\`\`\`ts
const one = 1;
\`\`\`
`;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';

/** X6: the bytes of a Word file depend on its inputs alone. */
describe('the same inputs', () => {
  it.each([
    ['another time zone', { TZ: 'Pacific/Auckland' }],
    ['a time zone at the other end of the day', { TZ: 'Pacific/Pago_Pago' }],
    ['another locale', { LC_ALL: 'pl_PL.UTF-8', LANG: 'pl_PL.UTF-8' }],
    [
      'another user, home and folder of temporary files',
      { USER: 'other', LOGNAME: 'other', HOME: '/', TMPDIR: '/tmp/' },
    ],
    ['another number of threads', { UV_THREADPOOL_SIZE: '1' }],
  ])('give the same Word file with %s', async (_, env) => {
    const word: Buffer[] = [];
    for (const given of [{ TZ: 'UTC', LC_ALL: 'C' }, env]) {
      const cwd = await mkdtemp(join(tmpdir(), 'same-bytes-'));
      await writeFile(join(cwd, 'text.md'), TEXT);
      await writeFile(join(cwd, 'plan.svg'), SVG);
      await succeedCli(['convert', 'text.md', '-o', 'text.docx', '--code-colors'], { cwd, env: given });
      word.push(await readFile(join(cwd, 'text.docx')));
      await rm(cwd, { recursive: true });
    }
    expect(word[0]!.equals(word[1]!)).toBe(true);
  });
});
