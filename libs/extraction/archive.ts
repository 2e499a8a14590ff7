import { unzipSync } from 'fflate';
import { ExtractionError } from './errors.js';

export const ARCHIVE_LIMITS = { entries: 10_000, bytes: 64 * 1024 * 1024 } as const;

/**
 * Unpacks the entries of a ZIP archive that `wanted` selects. The sizes stated in the archive limit what is
 * inflated, so an understated size cannot exceed the limits.
 *
 * @throws ExtractionError for a damaged archive, more than 10,000 entries, or more than 64 MB of selected
 * entries
 */
export function unpack(
  bytes: Uint8Array,
  wanted: (name: string) => boolean,
  fileName: string,
): Map<string, Uint8Array> {
  let entries = 0;
  let total = 0;
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (++entries > ARCHIVE_LIMITS.entries) throw new ExtractionError(`${fileName} has too many entries`);
        if (!wanted(name)) return false;
        total += originalSize;
        if (total > ARCHIVE_LIMITS.bytes) throw new ExtractionError(`${fileName} is too large when unpacked`);
        return true;
      },
    });
    return new Map(Object.entries(files));
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    throw new ExtractionError(`${fileName} is damaged: it cannot be unpacked`);
  }
}
