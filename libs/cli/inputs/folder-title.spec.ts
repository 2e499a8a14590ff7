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
  ])('returns for %s the title "%s"', async (name, title) => {
    await mkdir(join(dir, name));
    expect(await folderTitle([join(dir, name, '.')])).toBe(title);
  });

  it('returns no title for files and for several folders', async () => {
    await writeFile(join(dir, 'a.md'), 'a');
    expect(await folderTitle([join(dir, 'a.md')])).toBeUndefined();
    expect(await folderTitle([dir, dir])).toBeUndefined();
  });
});
