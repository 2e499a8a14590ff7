import { countWhile } from '#contracts/count-while.js';
import type { Leaf } from './leaves.js';
import type { SentParagraph, SentText } from './original.js';

/** Returns the paragraph at a position of the sent text; its end belongs to it. */
export const paragraphAt = ({ paragraphs }: SentText, at: number): number =>
  countWhile(paragraphs.length - 1, (index) => paragraphs[index]!.end < at);

/** Returns the place in the manuscript where the first character from a position of the sent text begins. */
export function placeAfter(sent: SentText, at: number): number {
  for (let index = paragraphAt(sent, at); index < sent.paragraphs.length; index++) {
    const { leaf, places, start } = sent.paragraphs[index]!;
    if (!leaf) continue;
    for (let i = Math.max(0, at - start); i < places.length; i++)
      if (places[i]! >= 0) return leaf.from[places[i]!]!;
    // The end of the paragraph.
    return leaf.end;
  }
  return sent.leaves.at(-1)?.end ?? 0;
}

/** Returns the place in the manuscript where the last character before a position of the sent text ends. */
export function placeBefore(sent: SentText, at: number): number {
  if (at > 0 && sent.text[at - 1] === '\n') return placeAfterEnd(sent, at - 1);
  for (let index = paragraphAt(sent, at); index >= 0; index--) {
    const { leaf, places, start } = sent.paragraphs[index]!;
    if (!leaf) continue;
    for (let i = Math.min(places.length, at - start) - 1; i >= 0; i--)
      if (places[i]! >= 0) return leaf.to[places[i]!]!;
    return leaf.start;
  }
  return 0;
}

/** Returns where the content of the leaf after the end of a paragraph begins. */
function placeAfterEnd(sent: SentText, end: number): number {
  const leaf = leafFrom(sent, paragraphAt(sent, end), -1);
  const next = leaf && sent.leaves[sent.leaves.indexOf(leaf) + 1];
  return next?.start ?? leaf?.end ?? 0;
}

/** Returns the next paragraph with a leaf in a direction, from an index on. */
export function leafFrom({ paragraphs }: SentText, index: number, step: 1 | -1): Leaf | null {
  for (let i = index; i >= 0 && i < paragraphs.length; i += step)
    if (paragraphs[i]!.leaf) return paragraphs[i]!.leaf;
  return null;
}

/** Returns the position in a leaf's text of a position in its paragraph. */
export function inLeaf({ places, start, leaf }: SentParagraph, at: number): number {
  for (let i = at - start; i < places.length; i++) if (places[i]! >= 0) return places[i]!;
  return leaf?.text.length ?? 0;
}
