import { oneLine } from '#contracts/text.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { damaged } from '../errors.js';
import { leftOutMark } from '../left-out.js';
import { readXml, type Attributes } from '../xml.js';
import { OdfParts } from './parts.js';
import { OdfReader } from './reader.js';
import { OdfStyles } from './styles.js';

/**
 * Returns the text of an OpenDocument text, spreadsheet or presentation as Markdown: headings and lists with their numbers, tables, notes, text
 * boxes, formulas, charts, forms, pictures. Comments name what is omitted: the table of contents, headers, footers, comments, hidden and deleted
 * text.
 *
 * @throws ExtractionError for a damaged, oversized or encrypted file
 */
export function odfText(bytes: Uint8Array, fileName: string, images: EmbeddedImages): string {
  const parts = new OdfParts(bytes, fileName, images);
  try {
    const styles = new OdfStyles();
    const shared = parts.text('styles.xml');
    const content = parts.text('content.xml')!;
    if (shared !== null) styles.read(shared);
    styles.read(content);
    const reader = new OdfReader(styles, parts);
    const text = reader.read(content);
    for (const [what, words] of shared === null ? [] : pageTexts(shared))
      text.lines([leftOutMark(what, words)]);
    return text.take();
  } catch (error) {
    throw damaged(fileName, error);
  }
}

/** Parts of a master page with words that slides replace. */
const PLACEHOLDERS =
  /^(?:title|outline|subtitle|text|notes|page|handout|header|footer|date-time|page-number)$/;

/** Returns the words of each different header, footer and master page. */
function pageTexts(xml: string): [what: string, words: string][] {
  const found = new Map<string, [string, string]>();
  const open: { name: string; what: string | null }[] = [];
  let paragraphs = 0;
  let words = '';
  const end = (what: string | null | undefined) => {
    const shown = oneLine(words);
    words = '';
    if (what && shown !== '') found.set(`${what} ${shown}`, [what, shown]);
  };
  readXml(xml, {
    open: (name, attributes) => {
      const outer = open.at(-1)?.what ?? null;
      const what = partOf(name, attributes, outer);
      if (what !== outer) end(outer);
      open.push({ name, what });
      if (name === 'text:p') paragraphs++;
      if (/^text:(?:p|tab|s|line-break)$/.test(name)) words += ' ';
    },
    text: (text) => {
      if (paragraphs > 0 && open.at(-1)?.what) words += text;
    },
    close: () => {
      const { name, what } = open.pop()!;
      if (name === 'text:p') paragraphs--;
      if (open.at(-1)?.what !== what) end(what);
    },
  });
  return [...found.values()];
}

/** Returns the part of the page that shows the words of an element; null if they are not shown. */
function partOf(name: string, attributes: Attributes, outer: string | null): string | null {
  if (name === 'style:master-page') return 'master page';
  const kind = /^style:(header|footer)(?:-left|-first)?$/.exec(name)?.[1];
  if (kind !== undefined) return attributes['style:display'] === 'false' ? null : kind;
  if (outer === null || name === 'presentation:notes') return null;
  const isReplaced =
    attributes['presentation:placeholder'] === 'true' ||
    PLACEHOLDERS.test(attributes['presentation:class'] ?? '');
  return isReplaced ? null : outer;
}
