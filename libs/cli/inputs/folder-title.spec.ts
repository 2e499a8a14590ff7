import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectFiles } from './collect-files.js';
import { folderTitle } from './folder-title.js';

describe('folderTitle', () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'scriptorium-title-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it.each([
    ['incident', 'Incident'],
    ['2026_spring-review', '2026 spring review'],
    ['Q3-2026', 'Q3-2026'],
    ['żółte notatki', 'Żółte notatki'],
  ])('returns for %s the title "%s"', async (name, title) => {
    await mkdir(join(dir, name));
    expect(await folderTitle([join(dir, name, '.')], [])).toBe(title);
  });

  it('returns no title for files and for several folders', async () => {
    await writeFile(join(dir, 'a.md'), 'a');
    expect(await folderTitle([join(dir, 'a.md')], [])).toBeUndefined();
    expect(await folderTitle([dir, dir], [])).toBeUndefined();
  });

  /** Writes files to a folder and returns the default title of a document from it. */
  const titleOf = async (folder: string, texts: Record<string, string>) => {
    const path = join(dir, folder);
    await mkdir(path);
    for (const [name, text] of Object.entries(texts)) await writeFile(join(path, name), text);
    const { files } = await collectFiles([path], []);
    return folderTitle([path], files);
  };

  it('leaves the title to the heading of a single text, with or without pictures', async () => {
    expect(await titleOf('one', { 'report.md': '# Report of May\n' })).toBeUndefined();
    const withPicture = {
      'report.md': '# Report of May\n',
      'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    };
    expect(await titleOf('two', withPicture)).toBeUndefined();
  });

  it('leaves the title to the heading of an overview that says more than the name of the folder', async () => {
    const other = { 'notes.md': '# Notes\n' };
    expect(
      await titleOf('salt-road', { 'README.md': '# The Salt Road, 1886–1931\n', ...other }),
    ).toBeUndefined();
    expect(await titleOf('harbour', { 'README.md': '# How to read this\n', ...other })).toBe('Harbour');
    expect(await titleOf('notes', { 'a.md': '# A\n', 'b.md': '# Notes of B\n' })).toBe('Notes');
  });
});
