import { plainText } from '#office/structure/text.js';
import type { Note } from '#contracts/structure.js';

/** Returns the paragraphs of a footnote as plain text. */
export const noteText = ({ blocks }: Note): string =>
  blocks.flatMap((block) => ('content' in block ? [plainText(block.content)] : [])).join(' ');
