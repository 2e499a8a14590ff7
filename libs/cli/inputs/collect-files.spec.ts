import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { itWhere } from '#testing/it-where.js';
import { collectFiles, collectSources } from './collect-files.js';

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

  it('collects a folder recursively, in natural order', async () => {
    await put('10.md', '2.md', 'images/shot.png', 'a.log');
    expect(await namesIn('.')).toEqual(['2.md', '10.md', 'a.log', 'images/shot.png']);
  });

  it('skips hidden files and folders, empty files and links, with the reason', async () => {
    await put('a.md', '.DS_Store', '.git/config', 'sub/.env');
    await writeFile(join(dir, 'empty.md'), '');
    await writeFile(join(dir, 'marked.txt'), Buffer.from([0xff, 0xfe]));
    await symlink(join(dir, 'a.md'), join(dir, 'link.md'));
    await symlink(join(dir, 'nowhere'), join(dir, 'sub/broken'));
    const { files, leftOut } = await collectFiles([dir]);
    expect(files).toEqual([{ name: 'a.md', path: join(dir, 'a.md'), size: 4 }]);
    const reasons = Object.fromEntries(leftOut.map(({ path, reason }) => [relative(dir, path), reason]));
    expect(reasons).toEqual({
      '.DS_Store': 'it is hidden',
      '.git': 'it is hidden',
      'sub/.env': 'it is hidden',
      'empty.md': 'it is empty',
      'marked.txt': 'it is empty',
      'link.md': 'it is a symbolic link',
      'sub/broken': 'it is a symbolic link',
    });
  });

  it('skips what the command itself writes, unless it is named', async () => {
    await put('a.md', 'out/report.docx', 'data/log.md');
    const outputs = [join(dir, 'out/report.docx'), join(dir, 'data')];
    const { files, leftOut } = await collectFiles([dir], outputs);
    expect(files.map(({ name }) => name)).toEqual(['a.md']);
    expect(leftOut).toEqual(outputs.toReversed().map((path) => ({ path, reason: 'this command writes it' })));
    expect((await collectFiles([join(dir, 'data/log.md')], [join(dir, 'data/log.md')])).files).toHaveLength(
      1,
    );
  });

  itWhere(process.getuid?.() !== 0)('skips an unreadable folder, with the reason', async () => {
    await put('a.md', 'closed/b.md');
    await chmod(join(dir, 'closed'), 0o000);
    const { files, leftOut } = await collectFiles([dir]);
    await chmod(join(dir, 'closed'), 0o700);
    expect(files.map(({ name }) => name)).toEqual(['a.md']);
    expect(leftOut).toEqual([{ path: join(dir, 'closed'), reason: 'it cannot be read (EACCES)' }]);
  });

  it('skips entries that are neither files nor folders, with the reason', async () => {
    await put('a.md');
    const server = createServer().listen(join(dir, 'socket'));
    await once(server, 'listening');
    const { leftOut } = await collectFiles([dir]);
    server.close();
    expect(leftOut).toEqual([{ path: join(dir, 'socket'), reason: 'it is neither a file nor a folder' }]);
  });

  it('D7 names files by their path in the folder, so that files with the same base name remain distinct', async () => {
    await put('docs/api/readme.md', 'docs/guide/readme.md', 'docs/main.ts', 'Cafe\u0301/a.md');
    expect(await namesIn('docs')).toEqual(['api/readme.md', 'guide/readme.md', 'main.ts']);
    expect(await namesIn('.')).toEqual([
      'Caf\u00e9/a.md',
      'docs/api/readme.md',
      'docs/guide/readme.md',
      'docs/main.ts',
    ]);
  });

  it('D7 starts names with the folder name when there are several arguments', async () => {
    await put('notes.md', 'img/x.png', 'other/img/x.png');
    const names = ['img/x.png', 'notes.md', 'other/img/x.png'];
    expect(await namesIn('notes.md', 'img', 'other')).toEqual(names);
  });

  it('collects single files, including hidden ones that are named, and each file once', async () => {
    await put('b/1.md', 'b/2.md', '.env');
    expect(await namesIn('b/2.md', 'b', '.env')).toEqual(['.env', 'b/1.md', 'b/2.md']);
    await put('b/.env');
    expect(await namesIn('b/.env', 'b', 'b/2.md')).toEqual(['b/.env', 'b/1.md', 'b/2.md']);
  });

  it('D7 skips files with unusable names in folders, with the reason; rejects such a file that is named', async () => {
    await put('a.md', 'v1..2/Fenn et al..md', 'c\\d.md', 'e\u200bf.md');
    await writeFile(Buffer.concat([Buffer.from(join(dir, 'g')), Buffer.from([0xff, 0x2e, 0x6d, 0x64])]), 'x');
    const { files, leftOut } = await collectFiles([dir]);
    expect(files.map(({ name }) => name)).toEqual(['a.md', 'v1..2/Fenn et al..md']);
    expect(leftOut).toEqual(
      expect.arrayContaining([
        { path: join(dir, 'e\u200bf.md'), reason: 'its name contains a control or an invisible character' },
        { path: join(dir, 'g\ufffd.md'), reason: 'it cannot be read (ENOENT)' },
        { path: join(dir, 'c\\d.md'), reason: 'its name contains "\\": separate folders with "/"' },
      ]),
    );
    await expect(collectFiles([join(dir, 'c\\d.md')])).rejects.toThrow('cannot be sent: its name contains');
  });

  it('collects files with text as sources, and skips files without text in folders', async () => {
    await put('guide.md', 'data.csv', 'page.html', 'images/shot.png', 'setup.EXE');
    const { files, leftOut } = await collectSources([dir]);
    expect(files.map(({ name }) => name)).toEqual(['data.csv', 'guide.md', 'page.html']);
    expect(leftOut).toEqual(
      expect.arrayContaining([
        { path: join(dir, 'images/shot.png'), reason: 'no text can be read from this type of file' },
        { path: join(dir, 'setup.EXE'), reason: expect.stringContaining('no text can be read') },
      ]),
    );
    await expect(collectSources([join(dir, 'images/shot.png')])).rejects.toThrow(
      /shot\.png" cannot be sent: no text can be read from this type of file\./,
    );
    await expect(collectSources([join(dir, 'setup.EXE')])).rejects.toThrow('no text can be read');
    await expect(collectSources([join(dir, 'images')])).rejects.toThrow(/No files to send in /);
  });

  it('says what is wrong', async () => {
    await put('x/a.md', 'y/a.md');
    await mkdir(join(dir, 'none'));
    await expect(collectFiles([join(dir, 'nowhere.md')])).rejects.toThrow(/".*nowhere\.md" was not found\./);
    await expect(collectFiles([join(dir, 'none')])).rejects.toThrow(/No files to send in /);
    await expect(collectFiles([join(dir, 'x/a.md'), join(dir, 'y/a.md')])).rejects.toThrow(
      /would both have the name "a\.md": send the folder that contains both, or rename one of them/,
    );
  });

  it('skips binary files with text names in folders, with the reason; rejects such a file that is named', async () => {
    await writeFile(join(dir, 'program'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]));
    await writeFile(join(dir, 'utf16.txt'), Buffer.from('\uFEFFwords', 'utf16le'));
    await writeFile(join(dir, 'notes.md'), '# Notes\n');
    const { files, leftOut } = await collectFiles([dir]);
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['notes.md', 'utf16.txt']));
    expect(leftOut).toContainEqual({
      path: join(dir, 'program'),
      reason: 'it is not text, despite its name',
    });
    await expect(collectFiles([join(dir, 'program')])).rejects.toThrow(
      /program" cannot be sent: it is not text, despite its name/,
    );
  });

  it('D7 sends logs with NUL bytes, also behind a hole of them, and UTF-16 without a mark', async () => {
    await writeFile(join(dir, 'cut.log'), `${'\0'.repeat(200_000)}started\nstopped\n`);
    await writeFile(join(dir, 'wide.txt'), Buffer.from('Harbour notes', 'utf16le'));
    await writeFile(join(dir, 'hole.log'), Buffer.alloc(100_000));
    const { files, leftOut } = await collectFiles([dir]);
    expect(files.map(({ name }) => name)).toEqual(['cut.log', 'wide.txt']);
    expect(leftOut).toEqual([{ path: join(dir, 'hole.log'), reason: 'it is not text, despite its name' }]);
  });
});
