import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');

/** Needs a registry of npm, as the other versions of Node of `test:deep` do. */
describe.each(['10', '11'])('npm %s', (version) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-lock-'));
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      await copyFile(join(ROOT, name), join(folder, name));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const npm = (...args: string[]) =>
    promisify(execFile)('npx', ['--yes', `npm@${version}`, ...args], { cwd: folder });

  it('installs without changing package.json and the lock file', async () => {
    await npm('install', '--package-lock-only');
    for (const name of ['package.json', 'package-lock.json'])
      expect(await readFile(join(folder, name), 'utf8')).toBe(await readFile(join(ROOT, name), 'utf8'));
  });

  it('finds everything that "npm ci" installs in the lock file, without warnings about versions of Node', async () => {
    const { stdout, stderr } = await npm('ci', '--dry-run');
    expect(stdout).toMatch(/added \d+ packages/);
    expect(stderr).not.toContain('EBADENGINE');
  });
});
