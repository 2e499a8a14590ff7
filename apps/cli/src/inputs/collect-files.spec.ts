import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { collectFiles } from './collect-files.js';

describe('collectFiles', () => {
  let dir: string;

  const put = async (...names: string[]) => {
    for (const name of names) {
      await mkdir(dirname(join(dir, name)), { recursive: true });
      await writeFile(join(dir, name), name);
    }
  };
  const namesIn = async (...paths: string[]) =>
    (await collectFiles(paths.map((path) => join(dir, path)))).files.map(({ name }) => name);

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'scriptorium-inputs-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('takes a folder with all that is in it and below, in natural order', async () => {
    await put('10.md', '2.md', 'images/shot.png', 'a.log');
    expect(await namesIn('.')).toEqual(['2.md', '10.md', 'a.log', 'shot.png']);
  });

  it('leaves out hidden files, hidden folders, links and empty files', async () => {
    await put('a.md', '.DS_Store', '.git/config', 'sub/.env');
    await writeFile(join(dir, 'empty.md'), '');
    await symlink(join(dir, 'a.md'), join(dir, 'link.md'));
    const { files, leftOut } = await collectFiles([dir]);
    expect(files).toEqual([{ name: 'a.md', path: join(dir, 'a.md'), size: 4 }]);
    expect(leftOut).toEqual([{ path: join(dir, 'empty.md'), reason: 'it is empty' }]);
  });

  it('names files by their path where their own name is not the only one, also when only the case differs', async () => {
    await put('readme.md', 'src/README.md', 'src/deep/README.md', 'src/main.ts');
    expect((await namesIn('.')).sort()).toEqual([
      'main.ts',
      'readme.md',
      'src__README.md',
      'src__deep__README.md',
    ]);
  });

  it('takes single files, a hidden one too when it is named, and each file once', async () => {
    await put('b/1.md', 'b/2.md', '.env');
    expect(await namesIn('b/2.md', 'b', '.env')).toEqual(['.env', '1.md', '2.md']);
  });

  it('says what is wrong', async () => {
    await put('x/a.md', 'y/a.md');
    await mkdir(join(dir, 'none'));
    await expect(collectFiles([join(dir, 'nowhere.md')])).rejects.toThrow(
      /There is no file or folder ".*nowhere\.md"\./,
    );
    await expect(collectFiles([join(dir, 'none')])).rejects.toThrow(/There is nothing to write about/);
    await expect(collectFiles([join(dir, 'x/a.md'), join(dir, 'y/a.md')])).rejects.toThrow(
      /would both be called "a\.md": rename one of them/,
    );
  });

  it('leaves out of a folder what is no text in spite of its name, and says why; named by itself it is refused', async () => {
    await writeFile(join(dir, 'program'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]));
    await writeFile(join(dir, 'utf16.txt'), Buffer.from('\uFEFFwords', 'utf16le'));
    await writeFile(join(dir, 'notes.md'), '# Notes\n');
    const { files, leftOut } = await collectFiles([dir]);
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['notes.md', 'utf16.txt']));
    expect(leftOut).toContainEqual({
      path: join(dir, 'program'),
      reason: 'it is no text in spite of its name',
    });
    await expect(collectFiles([join(dir, 'program')])).rejects.toThrow(
      /program" cannot be sent: it is no text/,
    );
  });
});
