import { projectRoot } from '#embedded/project-root.js';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MB = 1024 ** 2;
const LARGEST_INSTALLATION_MB = 450;
const MOST_PACKAGES = 70;
const LINE = 'The pump of line 3 stopped at 10:15.';

/** Needs a registry of npm, as an installation by a user does. */
describe('the package that `npm run pack:product` makes', () => {
  let folder: string;
  let installation: { stdout: string; stderr: string };
  /** Only the environment of a user's shell: no settings of jest or npm. */
  const { PATH, HOME } = process.env;
  const inFolder = () => ({ cwd: folder, env: { PATH, HOME } });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-packed-'));
    const pack = [join(projectRoot(), 'scripts/pack-product.js'), '--silent', '--pack-destination', folder];
    const tarball = (await run(process.execPath, pack)).stdout.trim();
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    installation = await run('npm', ['install', '--prefer-offline', `./${tarball}`], inFolder());
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('installs about 60 packages without warnings about the version of Node, in at most 450 MB', async () => {
    expect(installation.stderr).not.toContain('EBADENGINE');
    const added = Number(/added (\d+) packages/.exec(installation.stdout)?.[1]);
    expect(added).toBeGreaterThan(40);
    expect(added).toBeLessThanOrEqual(MOST_PACKAGES);
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

  it('lists each package that it bundles, with its licence', async () => {
    const dist = join(folder, 'node_modules/scriptorium/dist');
    const read = (file: string) => readFile(join(dist, file), 'utf8');
    const licences =
      (await read('node_modules/.bundles/LICENSES.txt')) + (await read('apps/studio/LICENSES.txt'));
    const sbom = JSON.parse(await read('sbom.cdx.json')) as { bomFormat: string; components: Component[] };
    expect(sbom.bomFormat).toBe('CycloneDX');
    const names = sbom.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    expect(names).toEqual(
      expect.arrayContaining(['@nestjs/core', 'zod', 'bullmq', 'pg', 'react', 'swagger-ui-dist']),
    );
    expect(names).toContain('@fontsource-variable/source-sans-3');
    for (const [at, { version }] of sbom.components.entries())
      expect(licences).toContain(`${names[at]} ${version} (`);
  });

  it('is not what plain `npm pack` makes, which fails and names the command', async () => {
    const packing = run('npm', ['pack'], { cwd: projectRoot(), env: { PATH, HOME } });
    await expect(packing).rejects.toMatchObject({ stderr: expect.stringContaining('npm-run-pack:product') });
  });
});

interface Component {
  group?: string;
  name: string;
  version: string;
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((all, size) => all + size, 0);
}
