import { prepareAssets, type AssetResolver } from '../docx/write/assets.js';
import type { Structure } from '#contracts/structure.js';

/** Image of the book, stored in a separate file. */
export interface EpubImage {
  /** Path below the folder of the chapters. */
  path: string;
  mediaType: string;
  bytes: Uint8Array;
  /** Width in CSS pixels. */
  width: number;
  height: number;
}

/**
 * Prepares the images of a book, by reference, in formats that every reading system supports. SVG drawings
 * are rasterized, since they may contain scripts. A missing or broken image is omitted; its alternative text
 * is shown instead.
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
