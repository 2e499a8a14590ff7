import { unzipSync } from 'fflate';
import { InventoryError } from './piece.js';

const LIMITS = { entries: 20_000, bytes: 128 * 1024 * 1024 } as const;

/**
 * Unpacks the parts of a ZIP archive that `wanted` selects by name. The stated sizes limit what is unpacked.
 *
 * @throws InventoryError for a damaged or oversized archive
 */
export function unzipParts(bytes: Uint8Array, wanted: (name: string) => boolean): Map<string, Uint8Array> {
  let entries = 0;
  let total = 0;
  try {
    const parts = unzipSync(fromFirstEntry(bytes), {
      filter: ({ name, originalSize }) => {
        if (++entries > LIMITS.entries) throw new InventoryError('it has too many parts');
        if (name.endsWith('/') || !wanted(name)) return false;
        total += originalSize;
        if (total > LIMITS.bytes) throw new InventoryError('it is too large when unpacked');
        return true;
      },
    });
    return new Map(Object.entries(parts));
  } catch (error) {
    if (error instanceof InventoryError) throw error;
    throw new InventoryError('it cannot be unpacked');
  }
}

/** Returns an archive from its first entry if other bytes precede it, unless its directory counts them. */
function fromFirstEntry(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return bytes;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = file.indexOf('PK\x03\x04', 0, 'latin1');
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const isCounted =
    end >= 0 &&
    end + 20 <= file.length &&
    file.indexOf('PK\x01\x02', file.readUInt32LE(end + 16), 'latin1') === file.readUInt32LE(end + 16);
  return first > 0 && !isCounted ? bytes.subarray(first) : bytes;
}
