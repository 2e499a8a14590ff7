import type { PhrasingContent } from 'mdast';
import { quickInlines } from './quick-inlines.js';

/**
 * Returns the plain text of a heading for lists of headings, without code, emphasis, link and escape markup.
 * Returns the heading unchanged if its inline markup is ambiguous.
 *
 * @param markdown one line, without the heading's own markers
 */
export function headingWords(markdown: string): string {
  const nodes = quickInlines([{ text: markdown, offset: 0, line: 1, column: 1 }]);
  const words = nodes === null ? '' : nodes.map(wordsOf).join('').trim();
  return words === '' ? markdown : words;
}

function wordsOf(node: PhrasingContent): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value;
  if (node.type === 'image') return node.alt ?? '';
  return 'children' in node ? node.children.map(wordsOf).join('') : '';
}
