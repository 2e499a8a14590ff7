import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A small separate disk that can be filled. */
export interface SmallDisk {
  /** Fills the disk, or frees the space. */
  fill(full: boolean): Promise<void>;
  unmount(): Promise<void>;
}

/** Mounts a disk of this size at a new folder; null if this account may not mount one. */
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
      // The last write is truncated to the remaining space.
      if (full) await writeFile(ballast, Buffer.alloc(bytes)).catch(() => undefined);
      else await rm(ballast, { force: true });
    },
    unmount: async () => void (await run('umount', ['-l', folder])),
  };
}
