import type { Block, Inline } from '#contracts/structure.js';

/** Returns the text of inline content as shown; breaks become blanks, images and notes are omitted. */
export function plainText(content: readonly Inline[]): string {
  let text = '';
  for (const inline of content) {
    if (inline.type === 'text') text += inline.value;
    else if (inline.type === 'break') text += ' ';
    else if (inline.type === 'math') text += inline.tex;
    else if (inline.type === 'link') text += plainText(inline.content);
  }
  return text;
}

/** Returns blocks with those inside of them, in order. */
export const allBlocks = (blocks: readonly Block[]): Block[] =>
  blocks.flatMap((block) => {
    const inner = block.type === 'list' ? block.items.flatMap((item) => item.blocks) : [];
    return [block, ...allBlocks('blocks' in block ? block.blocks : inner)];
  });

/** Assigns each heading GitHub's ID; duplicates get `-1`, `-2` and so on. */
export class Slugger {
  private readonly used = new Map<string, number>();

  take(text: string): string {
    const base = slug(text) || 'section';
    let id = base;
    let count = this.used.get(base) ?? 0;
    while (this.used.has(id)) id = `${base}-${++count}`;
    this.used.set(base, count);
    this.used.set(id, this.used.get(id) ?? 0);
    return id;
  }
}

/** Returns GitHub's heading anchor: lower case, blanks to hyphens, punctuation and symbols dropped. */
export function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
