import { projectRoot } from '#embedded/project-root.js';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MB = 1024 ** 2;
const LARGEST_INSTALLATION_MB = 450;
const LINE = 'The pump of line 3 stopped at 10:15.';

/** Needs a registry of npm, as an installation by a user does. */
describe('the package that `npm pack` makes', () => {
  let folder: string;
  let installation: { stdout: string; stderr: string };
  /** Only the environment of a user's shell: no settings of jest or npm. */
  const { PATH, HOME } = process.env;
  const inFolder = () => ({ cwd: folder, env: { PATH, HOME } });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-packed-'));
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: projectRoot(),
    });
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    installation = await run('npm', ['install', '--prefer-offline', `./${stdout.trim()}`], inFolder());
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('installs without warnings about the version of Node, in at most 450 MB', async () => {
    expect(installation.stderr).not.toContain('EBADENGINE');
    expect((await sizeOf(join(folder, 'node_modules'))) / MB).toBeLessThan(LARGEST_INSTALLATION_MB);
  });

  it('writes a document with its own stack', async () => {
    await writeFile(join(folder, 'notes.md'), `${LINE}\n`);
    await run(
      'npx',
      ['--no-install', 'scriptorium', 'write', 'notes.md', '-o', 'notes.docx', '--md', 'notes-out.md'],
      inFolder(),
    );
    expect(await readFile(join(folder, 'notes-out.md'), 'utf8')).toContain(LINE);
    expect((await readFile(join(folder, 'notes.docx'))).subarray(0, 2).toString()).toBe('PK');
  });

  it('has the licence of each package that it bundles', async () => {
    const bundles = join(folder, 'node_modules/scriptorium/dist/node_modules/.bundles');
    const licences = await readFile(join(bundles, 'LICENSES.txt'), 'utf8');
    for (const name of ['@nestjs/core', 'zod', 'bullmq', 'pg'])
      expect(licences).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'm'));
    const studio = join(folder, 'node_modules/scriptorium/dist/apps/studio/LICENSES.md');
    expect(await readFile(studio, 'utf8')).toMatch(
      /^## @fontsource-variable\/source-sans-3 - [\d.]+ \(OFL-1.1\)$/m,
    );
  });
});

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((all, size) => all + size, 0);
}
