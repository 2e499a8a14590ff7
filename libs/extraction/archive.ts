import { unzipSync } from 'fflate';
import { ExtractionError } from './errors.js';

/** Maximum number of entries of an archive, and of unpacked bytes. */
export interface ArchiveLimits {
  entries: number;
  bytes: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = { entries: 10_000, bytes: 64 * 1024 * 1024 };

/**
 * Unpacks the entries of a ZIP archive that `wanted` selects. The sizes stated in the archive limit what is
 * inflated, so an understated size cannot exceed the limits.
 *
 * @param limits by default 10,000 entries, and 64 MB of selected ones
 * @throws ExtractionError for a damaged archive, and for one beyond the limits
 */
export function unpack(
  bytes: Uint8Array,
  wanted: (name: string) => boolean,
  fileName: string,
  limits = ARCHIVE_LIMITS,
): Map<string, Uint8Array> {
  let entries = 0;
  let total = 0;
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (++entries > limits.entries) throw new ExtractionError(`${fileName} has too many entries`);
        if (!wanted(name)) return false;
        total += originalSize;
        if (total > limits.bytes) throw new ExtractionError(`${fileName} is too large when unpacked`);
        return true;
      },
    });
    return new Map(Object.entries(files));
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    throw new ExtractionError(`${fileName} is damaged: it cannot be unpacked`);
  }
}
