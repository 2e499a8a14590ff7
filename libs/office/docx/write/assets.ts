import { percentDecoded } from '#contracts/lenient.js';
import type { Sharp } from 'sharp';
import { isNativePackageError, NativePackageError } from '../../native-package.js';
import { bmpSize, isBmp, isBmpWrapper, readBmp } from './bmp.js';
import { hasWholeChunks, isDecodable, isOtherFormat } from './whole-image.js';

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
