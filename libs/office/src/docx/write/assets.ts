import sharp, { type Sharp } from 'sharp';

/** Reads the bytes behind an image reference; null where there are none. */
export interface AssetResolver {
  (ref: string): Promise<Uint8Array | null>;
}

/** An image in a form that Word shows. */
export interface PreparedImage {
  bytes: Uint8Array;
  extension: 'png' | 'jpeg' | 'gif';
  /** The drawing itself, when `bytes` is only its fallback. */
  svg: Uint8Array | null;
  /** Natural size in CSS pixels, after EXIF orientation. */
  width: number;
  height: number;
}

export type PreparedAsset = PreparedImage | { missing: string };

/** More pixels than this are refused: an image of a few kilobytes can unpack to gigabytes. */
const PIXEL_LIMIT = 60_000_000;
const BYTE_LIMIT = 50_000_000;
const PARALLEL = 2;

/** Fetches and prepares every reference once. A file that is missing or broken becomes a reason, never an error. */
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
  const bytes = (await resolve(ref)) ?? dataUri(ref);
  if (!bytes || bytes.length === 0) return { missing: 'no such file' };
  if (bytes.length > BYTE_LIMIT) return { missing: 'file too large' };
  try {
    return await convert(bytes);
  } catch {
    return { missing: 'not an image that can be read' };
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

async function convert(bytes: Uint8Array): Promise<PreparedAsset> {
  const input = sharp(bytes, { limitInputPixels: PIXEL_LIMIT, failOn: 'error' });
  const { format, width = 0, height = 0, orientation = 1 } = await input.metadata();
  if (width === 0 || height === 0) return { missing: 'not an image that can be read' };
  if (width * height > PIXEL_LIMIT) return { missing: 'too many pixels' };
  if (format === 'svg') return svg(bytes, width, height);
  if (orientation > 1) return encoded(input.rotate(), format === 'jpeg' ? 'jpeg' : 'png');
  if (format === 'png' || format === 'jpeg' || format === 'gif')
    return { bytes, extension: format, svg: null, width, height };
  return encoded(input, 'png');
}

async function encoded(image: Sharp, extension: 'png' | 'jpeg'): Promise<PreparedImage> {
  const output = extension === 'jpeg' ? image.jpeg({ quality: 92 }) : image.png();
  const { data, info } = await output.toBuffer({ resolveWithObject: true });
  return { bytes: data, extension, svg: null, width: info.width, height: info.height };
}

/** The drawing for Word, and a picture of it, at twice its size, for programs that cannot draw it. */
async function svg(bytes: Uint8Array, width: number, height: number): Promise<PreparedImage> {
  const density = width * height < 4_000_000 ? 144 : 72;
  const data = await sharp(bytes, { density, limitInputPixels: PIXEL_LIMIT }).png().toBuffer();
  return { bytes: data, extension: 'png', svg: bytes, width, height };
}
