import { FormulaReader } from './formula.js';
import { oneLine } from '#contracts/text.js';
import { joinedLines } from '../document-text.js';
import PostalMime from 'postal-mime';
import { escapeText } from '#markdown/escape.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { damaged } from '../errors.js';
import { includedPageText } from '../html/html.js';
import { leftOutMark } from '../left-out.js';
import { rtfText } from '../rtf/rtf.js';
import { isSymbol, wordSymbol } from '../symbols.js';
import { BoundValues, STORE_PARTS } from './bound-values.js';
import { BodyReader, type WordContext } from './body-reader.js';
import { chartWords } from '../ooxml/chart.js';
import { descriptionOf } from '../ooxml/shape-reader.js';
import { PackageMedia } from '../ooxml/media.js';
import { readNumbering } from './read-numbering.js';
import { OfficePackage } from '../ooxml/package.js';
import { WordStyles } from './styles.js';
import { readXml, type Attributes } from '../xml.js';

/** Maximum nesting depth of included Word files. */
const DEEPEST_CHUNK = 3;

/**
 * Returns the text of a Word document as Markdown: headings, paragraphs, lists with the numbers that Word shows, tables, notes, text boxes,
 * included files. Text inserted in tracked changes is included. Comments name what is omitted: the table of contents, which only repeats the
 * headings, headers, footers, comments and deleted text.
 *
 * @param depth number of Word files around this one, which include it
 * @throws ExtractionError for a damaged or oversized file
 */
export async function docxText(
  bytes: Uint8Array,
  fileName: string,
  images: EmbeddedImages,
  depth = 0,
): Promise<string> {
  const parts = new OfficePackage(bytes, fileName, 'word/document.xml', { also: STORE_PARTS });
  try {
    const { relationships } = parts;
    const context: WordContext = {
      parts,
      numbering: readNumbering(parts.related('numbering')),
      styles: new WordStyles(parts.related('styles')),
      media: new PackageMedia(bytes, fileName, images),
      relationships,
      boundValues: new BoundValues(parts),
      comments: commentsOf(parts.related('comments')),
      noteLabels: new Map(),
    };
    const body = new BodyReader(context);
    body.read(parts.text(parts.main)!);
    const pageParts = body.pageParts.map(({ what, id }) => ({
      what,
      path: relationships.get(id)?.target ?? '',
    }));
    for (const { at, path } of body.chunks.toReversed())
      body.blocks.splice(at, 0, '', ...(await chunkLines(parts, path, images, depth)), '');
    const notes = [
      ...noteLines(context, 'footnote', parts.related('footnotes')),
      ...noteLines(context, 'endnote', parts.related('endnotes')),
    ];
    return joinedLines([
      ...body.blocks,
      ...notes,
      // Comments on headers, and comments without a reference in the text.
      ...[...context.comments.values()]
        .filter((words) => words.trim() !== '')
        .flatMap((words) => ['', leftOutMark('comment', words)]),
      ...pageLines(parts, pageParts),
    ]);
  } catch (error) {
    throw damaged(fileName, error);
  }
}

/** Returns the words of each comment by its ID. */
function commentsOf(xml: string | null): Map<string, string> {
  const found = new Map<string, string>();
  if (xml === null) return found;
  let id = '';
  readWords(
    xml,
    (text) => void found.set(id, (found.get(id) ?? '') + text),
    (name, attributes) => void (name === 'w:comment' && (id = attributes['w:id'] ?? '')),
  );
  return found;
}

/** Returns the notes, each after its label in the text. Notes without a reference become paragraphs. */
function noteLines(context: WordContext, kind: 'footnote' | 'endnote', xml: string | null): string[] {
  if (xml === null) return [];
  const lines: string[] = [];
  const reader = new BodyReader(context);
  reader.read(xml, (name, attributes) => {
    if (name !== `w:${kind}`) return;
    const note = reader.take();
    const isSeparator = /separator|notice/i.test(attributes['w:type'] ?? '');
    if (isSeparator || note.length === 0) return;
    const label = context.noteLabels.get(`${kind} ${attributes['w:id'] ?? ''}`);
    const [first = '', ...rest] = note;
    lines.push('', ...(label === undefined ? note : [`[^${label}]: ${first}`, ...rest.map(indented)]));
  });
  return lines;
}

const indented = (line: string) => (line === '' ? '' : `    ${line}`);

/** Returns one comment for each different header and footer, and for the words that were deleted from them. */
function pageLines(parts: OfficePackage, named: readonly { what: string; path: string }[]): string[] {
  const marks = named.flatMap(({ what, path }) => {
    const xml = parts.text(path);
    if (xml === null) return [];
    const { words, deleted } = partWords(xml);
    const charts = [...parts.relationshipsOf(path).values()]
      .filter(({ type }) => /^chart(?:Ex)?$/.test(type))
      .flatMap(({ target }) => chartWords(parts, target) ?? []);
    return [
      { what, text: [words, ...charts].join(' ').trim() },
      { what: `deleted text in a ${what}`, text: deleted },
    ];
  });
  const shown = marks.filter(({ text }) => text !== '').map(({ what, text }) => leftOutMark(what, text));
  return [...new Set(shown)].flatMap((mark) => ['', mark]);
}

function partWords(xml: string): { words: string; deleted: string } {
  let words = '';
  let deleted = '';
  readWords(xml, (text, isDeleted) => (isDeleted ? (deleted += text) : (words += text)));
  return { words: oneLine(words), deleted: oneLine(deleted) };
}

/** Calls `add` with each piece of a part's text, and with a blank for each paragraph, tab and line break. */
function readWords(
  xml: string,
  add: (text: string, isDeleted: boolean) => void,
  onElement?: (name: string, attributes: Attributes) => void,
): void {
  let textIn = '';
  let fallbacks = 0;
  const formula = new FormulaReader();
  readXml(xml, {
    open: (name, attributes) => {
      onElement?.(name, attributes);
      if (formula.isReading || name === 'm:oMath') formula.begin(name, attributes);
      if (name === 'mc:Fallback') fallbacks++;
      textIn = fallbacks === 0 && /^w:(?:t|delText)$/.test(name) && !formula.isReading ? name : '';
      if (fallbacks === 0 && (!formula.isReading || name === 'm:oMath'))
        add(shownWords(name, attributes), false);
    },
    text: (text) => {
      if (textIn !== '') add(text, textIn === 'w:delText');
      else if (formula.isReading) formula.words(text);
    },
    close: (name) => {
      const ended = formula.isReading ? formula.end() : null;
      if (ended && fallbacks === 0) add(ended.plain, false);
      if (name === 'mc:Fallback') fallbacks--;
      textIn = '';
    },
  });
}

/** Returns the words that an element shows without text in it. */
function shownWords(name: string, attributes: Attributes): string {
  if (isSymbol(name)) return wordSymbol(name, attributes);
  // Ornamental text, such as a watermark.
  if (name === 'v:textpath') return ` ${attributes['string'] ?? ''} `;
  if (name === 'wp:docPr') return ` ${descriptionOf(attributes)} `;
  if (name === 'w:noBreakHyphen') return '\u2011';
  return ['w:p', 'w:tab', 'w:ptab', 'w:br', 'w:cr', 'm:oMath'].includes(name) ? ' ' : '';
}

/** Returns the text of a file that the document includes, or a comment that names it. */
async function chunkLines(
  parts: OfficePackage,
  path: string,
  images: EmbeddedImages,
  depth: number,
): Promise<string[]> {
  const bytes = parts.bytes(path);
  if (bytes === undefined || depth >= DEEPEST_CHUNK) return [leftOutMark('included file', path)];
  if (/\.rtf$/i.test(path)) return rtfText(bytes, path, images).trimEnd().split('\n');
  if (/\.do[ct][xm]$/i.test(path))
    return (await docxText(bytes, path, images, depth + 1)).trimEnd().split('\n');
  const text = new TextDecoder().decode(bytes);
  if (/\.mht(?:ml)?$/i.test(path)) {
    const { html, text: plain } = await PostalMime.parse(bytes);
    return html === undefined
      ? escapeText(plain ?? '').split('\n')
      : includedPageText(html, images).trimEnd().split('\n');
  }
  if (/\.txt$/i.test(path)) return escapeText(text).split('\n');
  return includedPageText(text, images).trimEnd().split('\n');
}
