import { percentDecoded } from '#contracts/lenient.js';
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { BYTE_LIMIT, type AssetResolver, type MissingReason } from '#office/docx/write/assets.js';

/**
 * Returns a function that reads images by their path relative to a document. It never fetches web addresses.
 * It reads regular files only, no devices, pipes or folders; files outside the folder, also through symlinks,
 * only if `allowOutside` is true.
 */
export function filesBeside(folder: string, allowOutside: boolean): AssetResolver {
  return async (ref) => {
    if (/^[a-z][a-z0-9+.-]+:|^\/\//i.test(ref)) return 'on_the_web';
    let reason: MissingReason = 'not_found';
    for (const path of new Set([ref, percentDecoded(ref)])) {
      const found = await read(folder, path.replace(/[?#].*$/s, ''), allowOutside);
      if (typeof found !== 'string') return found;
      if (found !== 'not_found') reason = found;
    }
    return reason;
  };
}

async function read(
  folder: string,
  path: string,
  allowOutside: boolean,
): Promise<Uint8Array | MissingReason> {
  try {
    const real = await realpath(resolve(folder, path));
    if (!allowOutside && !isInside(await realpath(folder), real)) return 'outside';
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = await file.stat();
      if (!stat.isFile()) return 'no_file';
      return stat.size > BYTE_LIMIT ? 'too_large' : await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM' ? 'no_access' : 'not_found';
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
