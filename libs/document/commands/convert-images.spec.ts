import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesBeside } from './convert-images.js';

describe('filesBeside', () => {
  let root = '';
  let folder = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'scriptorium-images-'));
    folder = join(root, 'document');
    await mkdir(join(folder, 'sub.png'), { recursive: true });
    await writeFile(join(folder, 'a b.png'), 'in');
    await writeFile(join(root, 'out.png'), 'out');
    await writeFile(join(folder, 'big.png'), '');
    await truncate(join(folder, 'big.png'), 60_000_000);
    await symlink('../out.png', join(folder, 'link.png'));
    await symlink('/dev/zero', join(folder, 'zero.png'));
    execFileSync('mkfifo', [join(folder, 'pipe.png')]);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it.each([
    ['gone.png', 'not_found'],
    ['https://example.org/a.png', 'on_the_web'],
    ['//example.org/a.png', 'on_the_web'],
    ['../out.png', 'outside'],
    ['..%2Fout.png', 'outside'],
    ['link.png', 'outside'],
    ['zero.png', 'outside'],
    ['/dev/zero', 'outside'],
    ['pipe.png', 'no_file'],
    ['sub.png', 'no_file'],
    ['big.png', 'too_large'],
  ])('does not read %s: %s', async (ref, reason) => {
    expect(await filesBeside(folder, false)(ref)).toBe(reason);
  });

  it('reads regular files of the folder, other files only if allowed, and never a device', async () => {
    const text = async (ref: string, outside: boolean) =>
      Buffer.from((await filesBeside(folder, outside)(ref)) ?? '').toString();
    expect(await text('a%20b.png?v=1', false)).toBe('in');
    expect(await text('../out.png', true)).toBe('out');
    expect(await text('/dev/zero', true)).toBe('no_file');
    expect(await text('pipe.png', true)).toBe('no_file');
  });
});
