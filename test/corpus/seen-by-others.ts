import { extname } from 'node:path';
import { csvSeparator } from '#verbatim/source/csv.js';
import { sourceForm } from '#verbatim/source/form.js';
import type { WantedLine } from '#verbatim/word/missing-text.js';
import { parse as parseCsv } from 'csv-parse/sync';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

const UNSEEN = new Set([
  'script',
  'style',
  'head',
  'template',
  'noscript',
  'iframe',
  'annotation',
  'annotation-xml',
]);

/**
 * Returns what a reader sees of a page, a table or code, from readers that the product does not use. Returns nothing
 * for other files: pieces of containers are counted instead, and readers do not see Markdown's marks.
 *
 * @param shown content of the document, which tells whether it shows a table as such
 */
export function seenByOthers(name: string, bytes: Uint8Array, shown: readonly string[]): WantedLine[] {
  return textsOf(name, bytes, shown).map((text, index) => ({
    ...{ source: name, line: index + 1, text, moves: false },
  }));
}

function textsOf(name: string, bytes: Uint8Array, shown: readonly string[]): string[] {
  const extension = extname(name).toLowerCase();
  if (extension === '.html' || extension === '.htm') return textNodes(Buffer.from(bytes).toString('utf8'));
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const lines = text.split('\n');
  if (sourceForm(name) === 'table' && !squeezed(shown.join('')).includes(squeezed(lines[0] ?? '')))
    return cellsOf(text, csvSeparator(lines[0] ?? '', name));
  return ['code', 'table'].includes(sourceForm(name)) ? lines : [];
}

/** Returns the cells, without separators, of a file that the document shows as a table. */
function cellsOf(text: string, delimiter: string): string[] {
  return (parseCsv(text, { delimiter, relax_column_count: true, relax_quotes: true }) as string[][]).map(
    (cells) => cells.join(' '),
  );
}

const INLINE =
  /^(?:#.*|a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var)$/;

function textNodes(html: string): string[] {
  let text = '';
  const stack: Node[] = [parse(html)];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeName === '#text' && 'value' in node) text += node.value;
    if (!INLINE.test(node.nodeName)) text += '\n';
    if (!('childNodes' in node) || UNSEEN.has(node.nodeName)) continue;
    for (let index = node.childNodes.length - 1; index >= 0; index--)
      stack.push(node.childNodes[index] as Node);
  }
  return text.split('\n');
}

const squeezed = (text: string): string => text.replace(/\s/g, '');
