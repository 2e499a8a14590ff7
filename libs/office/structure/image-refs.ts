import type { AssetEntry, ImageInline, Structure } from '#contracts/structure.js';

/**
 * Returns a structure with changed image references.
 *
 * @param refAt returns the new reference of an image, given its old one and the line of its block
 */
export function replaceImageRefs(
  structure: Structure,
  refAt: (ref: string, line: number) => string,
): Structure {
  const assets: AssetEntry[] = [];
  const replace = <T>(value: T, line: number): T => {
    if (Array.isArray(value)) return value.map((item: unknown) => replace(item, line)) as T;
    if (typeof value !== 'object' || value === null) return value;
    if (isImage(value)) {
      const ref = refAt(value.ref, line);
      assets.push({ ref, alt: value.alt, line });
      return { ...value, ref };
    }
    const own = 'line' in value && typeof value.line === 'number' ? value.line : line;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replace(item, own)])) as T;
  };
  const blocks = replace(structure.blocks, 1);
  const notes = replace(structure.notes, 1);
  return { ...structure, blocks, notes, assets };
}

function isImage(value: object): value is ImageInline {
  return 'type' in value && value.type === 'image';
}
