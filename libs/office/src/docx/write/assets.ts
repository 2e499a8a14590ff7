import type { Sharp } from 'sharp';
import { isNativePackageError, NativePackageError } from '../../native-package.js';

/** Why an image is left out. */
export const MISSING_REASONS = [
  'not_found',
  'on_the_web',
  'outside',
  'no_file',
  'no_access',
  'too_large',
  'too_many_pixels',
  'unreadable',
] as const;
export type MissingReason = (typeof MISSING_REASONS)[number];

/** Reads the bytes behind an image reference; null or a reason where there are none. */
export interface AssetResolver {
  (ref: string): Promise<Uint8Array | MissingReason | null>;
}

/** An image in a form that Word shows. */
export interface PreparedImage {
  bytes: Uint8Array;
  extension: 'png' | 'jpeg' | 'gif';
  /** Natural size in CSS pixels, after EXIF orientation. */
  width: number;
  height: number;
}

export type PreparedAsset = PreparedImage | { missing: MissingReason };

/** More pixels than this are refused: an image of a few kilobytes can unpack to gigabytes. */
const PIXEL_LIMIT = 60_000_000;
export const BYTE_LIMIT = 50_000_000;
const PARALLEL = 2;

/**
 * Fetches and prepares every reference once. A file that is missing or broken becomes a reason, never an error.
 *
 * @throws NativePackageError when there is an image and the library that reads images cannot be loaded
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
    // The file is sound: a document without its images would be a wrong one.
    if (isNativePackageError(error)) throw error;
    return { missing: 'unreadable' };
  }
}

function dataUri(ref: string): Uint8Array | null {
  const match = /^data:image\/[\w.+-]+(;[^,]*)?,(.*)$/s.exec(ref);
  if (!match) return null;
  const body = match[2] ?? '';
  return match[1]?.includes('base64') ? Buffer.from(body, 'base64') : Buffer.from(safeDecode(body), 'utf8');
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Loaded with the first image: most documents have none, and it is large. */
const imageLibrary = () =>
  import('sharp').then(
    ({ default: sharp }) => sharp,
    (error: unknown) => {
      throw new NativePackageError('An image in a document', 'sharp', error);
    },
  );

async function convert(bytes: Uint8Array): Promise<PreparedAsset> {
  const sharp = await imageLibrary();
  const input = sharp(bytes, { limitInputPixels: PIXEL_LIMIT, failOn: 'error' });
  const { format, width = 0, height = 0, orientation = 1 } = await input.metadata();
  if (width === 0 || height === 0) return { missing: 'unreadable' };
  if (width * height > PIXEL_LIMIT) return { missing: 'too_many_pixels' };
  if (format === 'svg') return svg(bytes, width, height);
  if (orientation > 1) return encoded(input.rotate(), format === 'jpeg' ? 'jpeg' : 'png');
  if (format === 'png' || format === 'jpeg' || format === 'gif')
    return { bytes, extension: format, width, height };
  return encoded(input, 'png');
}

async function encoded(image: Sharp, extension: 'png' | 'jpeg'): Promise<PreparedImage> {
  const output = extension === 'jpeg' ? image.jpeg({ quality: 92 }) : image.png();
  const { data, info } = await output.toBuffer({ resolveWithObject: true });
  return { bytes: data, extension, width: info.width, height: info.height };
}

/** Pixels of a rasterised drawing: enough for print at the width of a page. */
const DRAWING_PIXELS = 6_000_000;
/** Pixels an inch at which a drawing has its natural size, and the most that print shows. */
const NATURAL_DENSITY = 72;
const PRINT_DENSITY = 225;

/** A drawing as a picture: the file itself may hold scripts and addresses that a reader would follow. */
async function svg(bytes: Uint8Array, width: number, height: number): Promise<PreparedImage> {
  const fitting = NATURAL_DENSITY * Math.sqrt(DRAWING_PIXELS / (width * height));
  const density = Math.max(NATURAL_DENSITY, Math.min(PRINT_DENSITY, Math.floor(fitting)));
  const sharp = await imageLibrary();
  const data = await sharp(bytes, { density, limitInputPixels: PIXEL_LIMIT }).png().toBuffer();
  return { bytes: data, extension: 'png', width, height };
}
