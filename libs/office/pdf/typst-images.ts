import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import type { MissingReason, PreparedAsset } from '../docx/write/assets.js';

/** Image in Typst's file system with its natural size in points, or the reason why it is missing. */
export type TypstImage = { path: string; width: number; height: number } | { missing: MissingReason };

/** Points per CSS pixel. */
const POINTS = 0.75;

/** Passes the images of a document to the compiler, by reference. */
export function typstImages(
  assets: ReadonlyMap<string, PreparedAsset>,
  compiler: NodeCompiler,
): Map<string, TypstImage> {
  const images = new Map<string, TypstImage>();
  for (const [ref, asset] of assets) {
    if ('missing' in asset) {
      images.set(ref, asset);
      continue;
    }
    const path = `/scriptorium-assets/image${images.size}.${asset.extension}`;
    compiler.mapShadow(path, Buffer.from(asset.bytes));
    images.set(ref, { path, width: asset.width * POINTS, height: asset.height * POINTS });
  }
  return images;
}
