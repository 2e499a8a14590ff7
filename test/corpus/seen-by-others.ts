import { extname } from 'node:path';
import { extractText } from '#extraction/extract.js';
import { leftOutOf } from '#extraction/pdf/page-marks.js';
import { readDocx } from '#office/docx/read/read.js';
import { csvSeparator } from '#verbatim/source/csv.js';
import { sourceForm } from '#verbatim/source/form.js';
import type { WantedLine } from '#verbatim/word/missing-text.js';
import { parse as parseCsv } from 'csv-parse/sync';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { getDocumentProxy } from 'unpdf';

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
 * What a reader sees of a file, by readers that the product does not use for it; nothing for markdown, whose marks are not seen. The pieces of
 * a PDF may come in any order: a file need not draw them in the order in which they are read.
 *
 * @param shown what the document shows, which tells whether it makes a word whole that the end of a line parts
 */
export async function seenByOthers(
  name: string,
  bytes: Uint8Array,
  shown: readonly string[],
): Promise<WantedLine[]> {
  const moves = extname(name).toLowerCase() === '.pdf';
  const drawn = await textsOf(name, bytes, shown);
  const texts = moves ? madeWhole(drawn, shown) : drawn;
  return texts.map((text, index) => ({ source: name, line: index + 1, text, moves }));
}

async function textsOf(name: string, bytes: Uint8Array, shown: readonly string[]): Promise<string[]> {
  const extension = extname(name).toLowerCase();
  if (extension === '.docx') return readDocx(bytes).blocks.map(({ text }) => text);
  if (extension === '.html' || extension === '.htm') return textNodes(Buffer.from(bytes).toString('utf8'));
  if (extension === '.pdf') return pdfItems(bytes);
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const lines = text.split('\n');
  if (sourceForm(name) === 'table' && !squeezed(shown.join('')).includes(squeezed(lines[0] ?? '')))
    return cellsOf(text, csvSeparator(lines[0] ?? '', name));
  return ['code', 'table'].includes(sourceForm(name)) ? lines : [];
}

/** The cells of a file that the document shows as a table: without what parts them. */
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

const PARTED = /\p{L}[-\u2010\u00ad]$/u;
const squeezed = (text: string): string => text.replace(/\s/g, '');

/** Pieces with words that lines part: without the hyphen, and with the word's end right behind, unless the document shows the hyphen. */
function madeWhole(pieces: readonly string[], shown: readonly string[]): string[] {
  const whole = squeezed(shown.join(''));
  const words = pieces.filter((piece) => piece.trim() !== '');
  return words.map((piece, index) => {
    const end = /^\p{Ll}\S*/u.exec(words[index + 1] ?? '')?.[0];
    const isWhole = end === undefined || !PARTED.test(piece) || whole.includes(squeezed(piece));
    return isWhole ? piece : piece.slice(0, -1) + end;
  });
}

/** The pieces of text that a file draws, but for the running heads and page numbers that the product says it leaves out. */
async function pdfItems(bytes: Uint8Array): Promise<string[]> {
  const leftOut = leftOutOf((await extractText(bytes, 'corpus.pdf')).text);
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  const found: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    const running = (leftOut.get(number) ?? []).map((line) => line.replace(/\s/g, ''));
    const texts: string[] = items.flatMap((item: object) => ('str' in item ? [String(item.str)] : []));
    found.push(...texts.filter((text) => !running.some((line) => line.includes(text.replace(/\s/g, '')))));
  }
  await document.destroy();
  return found;
}
