import { phrase } from '#contracts/phrases/phrase.js';
import { unzipSync } from 'fflate';
import { ExtractionError } from './errors.js';

/** Maximum number of entries of an archive, and of unpacked bytes. */
export interface ArchiveLimits {
  entries: number;
  bytes: number;
}

const ARCHIVE_LIMITS: ArchiveLimits = { entries: 10_000, bytes: 64 * 1024 * 1024 };

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
    const files = unzipSync(withoutPrefix(bytes), {
      filter: ({ name, originalSize }) => {
        if (++entries > limits.entries)
          throw new ExtractionError(phrase('unreadable.too_many_entries', { name: fileName }));
        if (!wanted(name)) return false;
        total += originalSize;
        if (total > limits.bytes)
          throw new ExtractionError(phrase('unreadable.too_large_unpacked', { name: fileName }));
        return true;
      },
    });
    return new Map(Object.entries(files));
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    throw new ExtractionError(phrase('unreadable.damaged_archive', { name: fileName }));
  }
}

/** Length of the record that ends an archive, and of the longest comment after it. */
const END_LENGTH = 22;
const LONGEST_COMMENT = 0xffff;
const END_MAGIC = 0x06054b50;
const MAGIC = 0x04034b50;

/**
 * Returns an archive without the bytes that a mail gateway or a web server has put before it. The record at the end states
 * where its directory should be.
 */
function withoutPrefix(bytes: Uint8Array): Uint8Array {
  const end = endOf(bytes);
  if (end < 0) return bytes;
  const view = viewOf(bytes);
  const prefix = end - view.getUint32(end + 12, true) - view.getUint32(end + 16, true);
  const isMoved = prefix > 0 && prefix < end && view.getUint32(prefix, true) === MAGIC;
  return isMoved ? bytes.subarray(prefix) : bytes;
}

/** Returns the position of the record that ends an archive; -1 for none. */
function endOf(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  const last = bytes.length - END_LENGTH;
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--)
    if (view.getUint32(at, true) === END_MAGIC) return at;
  return -1;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);

/** Returns whether a file is a ZIP archive, with or without bytes before it. */
export const isArchive = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0x50 && bytes[1] === 0x4b) || endOf(bytes) >= 0;
