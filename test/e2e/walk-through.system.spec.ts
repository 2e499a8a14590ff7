import { itWith } from '#testing/programs.js';
import { sharedStack } from '#testing/shared-stack.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = join(import.meta.dirname, '../..');

/** docs/REST.md as a reader follows it, from the top to the end. */
describe('the walk-through by REST', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-walk-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  itWith(
    'curl',
    'bash',
    'sed',
  )('does what it says, command by command', async () => {
    const stack = await sharedStack();
    const { key } = await stack.tenant();
    await mkdir(join(folder, '.scriptorium'));
    await writeFile(join(folder, '.scriptorium/api-key'), key!);
    await symlink(join(ROOT, 'examples'), join(folder, 'examples'));
    const page = await readFile(join(ROOT, 'docs/REST.md'), 'utf8');
    const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)\n```/gm)].map(([, commands]) => commands!);
    const [start, ...commands] = blocks;
    expect(start).toContain('npm start');
    const script = commands.join('\necho "── done"\n').replaceAll('http://127.0.0.1:8080', stack.url);
    const bash = spawn('bash', ['-ec', script], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const [said, complained, [code]] = await Promise.all([
      text(bash.stdout),
      text(bash.stderr),
      once(bash, 'close'),
    ]);
    expect({ code: code as unknown, complained }).toEqual({ code: 0, complained: '' });

    const answers = said.split('── done');
    expect(answers[0]).toContain('hitl_pause');
    expect(answers[1]).toContain('"status":"answered"');
    // Another answer than the first.
    expect(answers[2]).toContain('"status":409');
    expect(answers[3]).toContain('event: done');
    expect(answers[3]).toContain('"status":"completed"');
    expect((await readFile(join(folder, 'report.docx'))).subarray(0, 2).toString()).toBe('PK');
    expect(JSON.parse(await readFile(join(folder, 'ledger.json'), 'utf8'))).toMatchObject({ coverage: 1 });
    expect(await readFile(join(folder, 'manuscript.md'), 'utf8')).toContain('# ');
  });
});
