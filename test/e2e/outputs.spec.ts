import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cliEnv, runCli } from '#testing/cli.js';
import { itWhere } from '#testing/it-where.js';
import { sharedStack } from '#testing/shared-stack.js';

describe('two runs over the same files', () => {
  it('produce the same Word file, byte for byte', async () => {
    const tenant = await (await sharedStack()).tenant();
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-twice-'));
    await writeFile(join(folder, 'notes.md'), '# Pump 3\n\nStopped at 10:15.\n\n```sh\nuptime\n```\n');
    for (const name of ['first.docx', 'second.docx']) {
      const args = ['write', 'notes.md', '-o', name, '--title', 'Pump 3'];
      expect(await runCli(args, { cwd: folder, env: cliEnv(tenant) })).toMatchObject({ code: 0 });
    }
    const [first, second] = await Promise.all(
      ['first.docx', 'second.docx'].map((name) => readFile(join(folder, name))),
    );
    expect(first!.equals(second!)).toBe(true);
    await rm(folder, { recursive: true });
  });
});

/** Device that rejects all writes, like a full disk. */
const FULL = '/dev/full';
const itWithFull = itWhere(existsSync(FULL));

describe('results that cannot be written to the disk', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    env = cliEnv(await (await sharedStack()).tenant());
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-outputs-'));
    await writeFile(join(folder, 'notes.md'), '# Notes\n\nA few words.\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = (...args: string[]) => runCli(args, { cwd: folder, env });
  const REFUSED =
    /^"(\S+)" cannot be written: the disk is full\. Free some space, or choose another path\. The run is saved: continue it with "scriptorium follow (run_\w+) -o (\S+)"\.$/m;

  itWithFull(
    'a document stays in its run, and is fetched into another file',
    async () => {
      await symlink(FULL, join(folder, 'full.docx'));
      const failed = await run('write', 'notes.md', '-o', 'full.docx');
      expect([failed.code, failed.stdout, failed.stderr]).toEqual([1, '', expect.stringMatching(REFUSED)]);
      expect(failed.stderr).not.toMatch(/\n\s+at /);
      const [, , runId = ''] = REFUSED.exec(failed.stderr) ?? [];
      const text = await run('follow', runId, '-o', 'notes.txt');
      expect([text.code, text.stderr]).toEqual([1, expect.stringContaining('must end in .docx')]);
      expect((await run('follow', runId, '-o', 'notes.docx')).code).toBe(0);
      expect((await readFile(join(folder, 'notes.docx'))).length).toBeGreaterThan(1_000);
    },
    120_000,
  );

  itWithFull(
    'the files of an article stay in its run, and are fetched into another folder',
    async () => {
      await symlink(FULL, join(folder, 'linkedin.md'));
      const failed = await run('article', 'repurpose', 'notes.md', '-o', folder);
      expect([failed.code, failed.stdout, failed.stderr]).toEqual([1, '', expect.stringMatching(REFUSED)]);
      expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
      const [, , runId = ''] = REFUSED.exec(failed.stderr) ?? [];
      expect((await run('follow', runId, '-o', 'elsewhere')).code).toBe(0);
      expect((await readdir(join(folder, 'elsewhere'))).sort()).toEqual([
        'linkedin.md',
        'newsletter.md',
        'video-script.md',
        'x-thread.md',
      ]);
      // Into a folder that is there.
      expect((await run('follow', runId, '-o', 'elsewhere')).code).toBe(0);
    },
    120_000,
  );
});
