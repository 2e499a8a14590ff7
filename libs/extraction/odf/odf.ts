import type { EmbeddedImages } from '../embedded-images.js';
import { damaged } from '../errors.js';
import { leftOutMark } from '../left-out.js';
import { readXml } from '../xml.js';
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

/** Returns the words of each different header and footer. */
function pageTexts(xml: string): [what: string, words: string][] {
  const found = new Map<string, [string, string]>();
  let what = '';
  let words = '';
  readXml(xml, {
    open: (name, attributes) => {
      const kind = /^style:(header|footer)(?:-left|-first)?$/.exec(name)?.[1];
      if (kind !== undefined && attributes['style:display'] !== 'false') {
        what = kind;
        words = '';
      } else if (/^text:(?:p|tab|s|line-break)$/.test(name)) words += ' ';
    },
    text: (text) => void (what !== '' && (words += text)),
    close: (name) => {
      if (!/^style:(?:header|footer)(?:-left|-first)?$/.test(name)) return;
      const shown = words.replace(/\s+/g, ' ').trim();
      if (what !== '' && shown !== '') found.set(`${what} ${shown}`, [what, shown]);
      what = '';
    },
  });
  return [...found.values()];
}
