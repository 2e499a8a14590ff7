import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  ])('calls what is made of %s "%s"', async (name, title) => {
    await mkdir(join(dir, name));
    expect(await folderTitle([join(dir, name, '.')])).toBe(title);
  });

  it('leaves files, and several folders, to their headings', async () => {
    await writeFile(join(dir, 'a.md'), 'a');
    expect(await folderTitle([join(dir, 'a.md')])).toBeUndefined();
    expect(await folderTitle([dir, dir])).toBeUndefined();
  });
});
