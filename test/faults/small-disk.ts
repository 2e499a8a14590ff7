import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A small disk of its own, which can be filled. */
export interface SmallDisk {
  /** Takes all free space, or gives it back. */
  fill(full: boolean): Promise<void>;
  unmount(): Promise<void>;
}

/** Puts a disk of so many bytes at a folder that is made for it; null when this account may not mount one. */
export async function mountSmallDisk(folder: string, bytes: number): Promise<SmallDisk | null> {
  await mkdir(folder);
  const options = `size=${bytes},mode=711`;
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  if (!mounted) return null;
  const ballast = join(folder, 'ballast');
  return {
    async fill(full) {
      // The write that finds no more space leaves what fitted.
      if (full) await writeFile(ballast, Buffer.alloc(bytes)).catch(() => undefined);
      else await rm(ballast, { force: true });
    },
    unmount: async () => void (await run('umount', ['-l', folder])),
  };
}
