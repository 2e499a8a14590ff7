import { prepareAssets, type AssetResolver } from '../docx/write/assets.js';
import type { Structure } from '../structure/schema.js';

/** An image of the book as a file of its own. */
export interface EpubImage {
  /** Below the folder of the chapters. */
  path: string;
  mediaType: string;
  bytes: Uint8Array;
  /** CSS pixels */
  width: number;
  height: number;
}

/**
 * The images of a book, by their references, in a form that every reading system shows. Drawings are rasterised: an SVG may hold scripts. One
 * that is missing or broken is left out, and its words stand in its place.
 */
export async function epubImages(
  structure: Structure,
  resolve: AssetResolver,
): Promise<Map<string, EpubImage>> {
  const refs = [...new Set(structure.assets.map(({ ref }) => ref))];
  const prepared = await prepareAssets(refs, resolve);
  const images = new Map<string, EpubImage>();
  for (const ref of refs) {
    const asset = prepared.get(ref);
    if (asset === undefined || 'missing' in asset) continue;
    const { bytes, extension, width, height } = asset;
    const path = `images/image-${String(images.size + 1).padStart(3, '0')}.${extension}`;
    images.set(ref, { path, mediaType: `image/${extension}`, bytes, width, height });
  }
  return images;
}
