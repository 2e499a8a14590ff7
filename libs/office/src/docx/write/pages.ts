import { estimatePageNumbersWith } from 'docx/layout';
import type { XmlElement } from 'docx';
import { SaxesParser } from 'saxes';

/**
 * Longest `word/document.xml`, in characters, whose pages are laid out (some 90 pages): the layout takes longer
 * than everything else together.
 */
const LAYOUT_LIMIT = 800_000;

/**
 * The page that each bookmark is on, laid out as Word lays pages out.
 *
 * @param parts the XML parts of the document by path
 * @returns page numbers by bookmark name, or null for a document that is too long to lay out
 */
export function pageNumbers(parts: ReadonlyMap<string, string>): ReadonlyMap<string, string> | null {
  if ((parts.get('word/document.xml') ?? '').length > LAYOUT_LIMIT) return null;
  const parsed = new Map([...parts].map(([path, xml]): [string, XmlElement] => [path, parseXml(xml)]));
  return estimatePageNumbersWith({ guess: true })({ parts: parsed }).bookmarks;
}

/** Characters without a blank that the layout is given at most. */
const LONGEST_WORD = 60;
const LONG_WORD = new RegExp(`\\S{${LONGEST_WORD + 1},}`, 'g');
const PIECE = new RegExp(`.{${LONGEST_WORD}}`, 'gu');

/** The layout tries every place in a word that does not fit, so long ones are parted; only its copy of the text changes. */
function breakable(text: string): string {
  return text.replace(LONG_WORD, (word) => word.replace(PIECE, '$& '));
}

/** XML in the element form that the layout reads; text that is only white space is kept. */
function parseXml(xml: string): XmlElement {
  const root: XmlElement = { elements: [] };
  const stack: XmlElement[] = [root];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { type: 'element', name, attributes, elements: [] };
    stack.at(-1)?.elements?.push(element);
    stack.push(element);
  });
  parser.on('closetag', () => stack.pop());
  parser.on('text', (text) => {
    if (stack.length > 1) stack.at(-1)?.elements?.push({ type: 'text', text: breakable(text) });
  });
  parser.write(xml).close();
  return root;
}
