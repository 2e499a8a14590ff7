import { percentDecoded } from '#contracts/lenient.js';
import type { Sharp } from 'sharp';
import { isNativePackageError, NativePackageError } from '../../native-package.js';
import { bmpSize, isBmp, isBmpWrapper, readBmp } from './bmp.js';
import { crc32 } from 'node:zlib';

/** Why an image is left out. */
export type MissingReason =
  | 'not_found'
  | 'on_the_web'
  | 'outside'
  | 'no_file'
  | 'no_access'
  | 'too_large'
  | 'too_many_pixels'
  | 'unreadable'
  | 'other_format';

/** Returns the bytes of a referenced image, or why it is missing; null without a reason. */
export interface AssetResolver {
  (ref: string): Promise<Uint8Array | MissingReason | null>;
}

/** Image in a format that Word supports. */
export interface PreparedImage {
  bytes: Uint8Array;
  extension: 'png' | 'jpeg' | 'gif';
  /** Natural size in CSS pixels, after EXIF orientation. */
  width: number;
  height: number;
}

export type PreparedAsset = PreparedImage | { missing: MissingReason };

/** Maximum number of pixels: an image of a few kilobytes can unpack to gigabytes. */
const PIXEL_LIMIT = 60_000_000;
export const BYTE_LIMIT = 50_000_000;
const PARALLEL = 2;

/**
 * Fetches and prepares every reference once. A missing or broken file becomes a reason, not an error.
 *
 * @throws NativePackageError if there is an image and the image library cannot be loaded
 */
export async function prepareAssets(
  refs: Iterable<string>,
  resolve: AssetResolver,
): Promise<Map<string, PreparedAsset>> {
  const unique = [...new Set(refs)];
  const prepared = new Map<string, PreparedAsset>();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let ref = unique[next++]; ref !== undefined; ref = unique[next++])
      prepared.set(ref, await prepare(ref, resolve));
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return prepared;
}

async function prepare(ref: string, resolve: AssetResolver): Promise<PreparedAsset> {
  const bytes = dataUri(ref) ?? (await resolve(ref)) ?? 'not_found';
  if (typeof bytes === 'string') return { missing: bytes };
  if (bytes.length === 0) return { missing: 'unreadable' };
  if (bytes.length > BYTE_LIMIT) return { missing: 'too_large' };
  try {
    return await convert(bytes);
  } catch (error) {
    // The file may be intact, and a document without its images would be wrong.
    if (isNativePackageError(error)) throw error;
    return { missing: isOtherFormat(bytes) ? 'other_format' : 'unreadable' };
  }
}

function dataUri(ref: string): Uint8Array | null {
  const match = /^data:image\/[\w.+-]+(;[^,]*)?,(.*)$/s.exec(ref);
  if (!match) return null;
  const body = match[2] ?? '';
  return match[1]?.includes('base64')
    ? Buffer.from(body, 'base64')
    : Buffer.from(percentDecoded(body), 'utf8');
}

/** Loads the image library on first use: it is large, and most documents have no images. */
const imageLibrary = () =>
  import('sharp').then(
    ({ default: sharp }) => sharp,
    (error: unknown) => {
      throw new NativePackageError('An image in a document', 'sharp', error);
    },
  );

async function convert(bytes: Uint8Array): Promise<PreparedAsset> {
  const sharp = await imageLibrary();
  if (isBmp(bytes)) return bitmap(bytes);
  const open = (content: Uint8Array, failOn: 'error' | 'warning' = 'error') =>
    sharp(content, { limitInputPixels: PIXEL_LIMIT, failOn });
  const input = open(bytes);
  const { format, width = 0, height = 0, orientation = 1 } = await input.metadata();
  if (width === 0 || height === 0) return { missing: 'unreadable' };
  if (width * height > PIXEL_LIMIT) return { missing: 'too_many_pixels' };
  if (format === 'svg') return svg(bytes, width, height);
  if (orientation > 1) return encoded(input.rotate(), format === 'jpeg' ? 'jpeg' : 'png');
  if (format === 'png' && !hasWholeChunks(bytes)) return encoded(input, 'png');
  if (format === 'png' || format === 'jpeg' || format === 'gif') {
    if (await isDecodable(open(bytes))) return { bytes, extension: format, width, height };
    // Some programs omit the end marker.
    const ended = Buffer.concat([bytes, JPEG_END]);
    if (format === 'jpeg' && (await isDecodable(open(ended, 'warning'))))
      return { bytes: ended, extension: format, width, height };
    return { missing: 'unreadable' };
  }
  return encoded(input, 'png');
}

const JPEG_END = Buffer.from('ffd9', 'hex');

async function bitmap(bytes: Uint8Array): Promise<PreparedAsset> {
  const size = bmpSize(bytes);
  if (size.width * size.height > PIXEL_LIMIT) return { missing: 'too_many_pixels' };
  if (size.width * size.height === 0) return { missing: 'unreadable' };
  const found = readBmp(bytes);
  if (found === null) return { missing: isBmpWrapper(bytes) ? 'other_format' : 'unreadable' };
  const { data, ...raw } = found;
  const sharp = await imageLibrary();
  return encoded(sharp(data, { raw, limitInputPixels: PIXEL_LIMIT }), 'png');
}

async function encoded(image: Sharp, extension: 'png' | 'jpeg'): Promise<PreparedImage> {
  const output = extension === 'jpeg' ? image.jpeg({ quality: 92 }) : image.png();
  const { data, info } = await output.toBuffer({ resolveWithObject: true });
  return { bytes: data, extension, width: info.width, height: info.height };
}

/** Maximum number of pixels of a rasterized drawing: enough for print at page width. */
const DRAWING_PIXELS = 6_000_000;
/** Density in pixels per inch of a drawing's natural size, and the maximum useful for print. */
const NATURAL_DENSITY = 72;
const PRINT_DENSITY = 225;

/** Rasterizes an SVG drawing: the file itself may contain scripts and external references. */
async function svg(bytes: Uint8Array, width: number, height: number): Promise<PreparedImage> {
  const fitting = NATURAL_DENSITY * Math.sqrt(DRAWING_PIXELS / (width * height));
  const density = Math.max(NATURAL_DENSITY, Math.min(PRINT_DENSITY, Math.floor(fitting)));
  const sharp = await imageLibrary();
  const data = await sharp(bytes, { density, limitInputPixels: PIXEL_LIMIT }).png().toBuffer();
  return { bytes: data, extension: 'png', width, height };
}

const PNG_SIGNATURE = 8;
/** Length, type and checksum of a chunk. */
const CHUNK_FRAME = 12;

/** Returns whether all pixels of an image can be decoded. The head of a truncated file may be valid. */
async function isDecodable(image: Sharp): Promise<boolean> {
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
function hasWholeChunks(png: Uint8Array): boolean {
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
const isOtherFormat = (bytes: Uint8Array): boolean =>
  OTHER_FORMATS.some(([at, hex]) =>
    Buffer.from(bytes.subarray(at, at + hex.length / 2)).equals(Buffer.from(hex, 'hex')),
  );
