import type { PhrasingContent } from 'mdast';
import { quickInlines } from './quick-inlines.js';

/**
 * The words of a heading as a reader sees them, for lists of headings: without the marks of code, emphasis, links and escapes. A heading that
 * is not certain to be read so stays as it is written.
 *
 * @param markdown of one line, without the marks of the heading itself
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
