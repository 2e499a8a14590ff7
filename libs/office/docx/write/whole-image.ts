import type { Sharp } from 'sharp';
import { crc32 } from 'node:zlib';

const PNG_SIGNATURE = 8;
/** Length, type and checksum of a chunk. */
const CHUNK_FRAME = 12;

/** Returns whether all pixels of an image can be decoded. The head of a truncated file may be valid. */
export async function isDecodable(image: Sharp): Promise<boolean> {
  try {
    // Computing statistics decodes every pixel.
    await image.stats();
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns whether a PNG has all its chunks with right checksums. Typst refuses others, which the image library
 * may decode.
 */
export function hasWholeChunks(png: Uint8Array): boolean {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  let at = PNG_SIGNATURE;
  while (at + CHUNK_FRAME <= png.length) {
    const length = view.getUint32(at);
    const end = at + CHUNK_FRAME + length;
    if (end > png.length) return false;
    const content = png.subarray(at + 4, end - 4);
    if (crc32(content) !== view.getUint32(end - 4)) return false;
    if (Buffer.from(content.subarray(0, 4)).toString('latin1') === 'IEND') return true;
    at = end;
  }
  return false;
}

/** Beginnings of images in formats that are not read, with their positions. */
const OTHER_FORMATS: [number, string][] = [
  [4, '66747970'], // HEIC, HEIF and other pictures in boxes
  [0, '38425053'], // Photoshop
  [0, '00000100'], // icon
  [0, 'd7cdc69a'], // WMF
  [40, '20454d46'], // EMF
  [0, '0000000c6a502020'], // JPEG 2000
  [0, '0000000c4a584c20'], // JPEG XL
  [0, 'ff0a'], // JPEG XL
];

/** Returns whether bytes begin like an image in a format that is not read. */
export const isOtherFormat = (bytes: Uint8Array): boolean =>
  OTHER_FORMATS.some(([at, hex]) =>
    Buffer.from(bytes.subarray(at, at + hex.length / 2)).equals(Buffer.from(hex, 'hex')),
  );
