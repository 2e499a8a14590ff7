import type { HeadingBlock, Structure } from '#contracts/structure.js';
import type { BlockWriter } from './blocks.js';
import { field } from './inlines.js';
import type { Settings } from './options.js';
import { escapeAttribute, escapeText } from './xml.js';

const PAGE_BREAK = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
const TOC_LEVELS = 3;

/** Writes the title page. */
export function coverXml(settings: Settings, writer: BlockWriter): string {
  const line = (style: string, text: string): string =>
    text === ''
      ? ''
      : writer.paragraph(style, `<w:r><w:t xml:space="preserve">${escapeText(text)}</w:t></w:r>`, {});
  return (
    line('Title', settings.title) +
    line('Subtitle', settings.subtitle) +
    line('Author', settings.author) +
    line('Date', settings.date) +
    PAGE_BREAK
  );
}

interface TocEntry {
  id: string;
  level: number;
  text: string;
}

/** Returns the headings listed in the table of contents, with numbers if sections are numbered. */
export function tocEntries(structure: Structure, numbered: boolean): TocEntry[] {
  const counters: number[] = [];
  const entries: TocEntry[] = [];
  for (const heading of structure.headings) {
    counters[heading.level - 1] = (counters[heading.level - 1] ?? 0) + 1;
    counters.length = heading.level;
    if (heading.level > TOC_LEVELS || heading.text === '') continue;
    const number = Array.from(counters, (count) => count ?? 0).join('.');
    entries.push({
      id: heading.id,
      level: heading.level,
      text: numbered ? `${number}  ${heading.text}` : heading.text,
    });
  }
  return entries;
}

/**
 * Writes a pre-filled table-of-contents field: Word shows these entries until it updates the field on
 * request.
 *
 * @param pages page numbers by bookmark name; an entry without one shows no number
 */
export function tocXml(
  entries: readonly TocEntry[],
  pages: ReadonlyMap<string, number>,
  writer: BlockWriter,
): string {
  const { context } = writer;
  const begin =
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' +
    `<w:r><w:instrText xml:space="preserve"> TOC \\o "1-${TOC_LEVELS}" \\h \\z \\u </w:instrText></w:r>` +
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r>';
  const end = '<w:p><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>';
  const lines = entries.map((entry, i) => {
    const bookmark = context.bookmark(entry.id);
    const page = field(` PAGEREF ${bookmark} \\h `, `<w:r><w:t>${pages.get(bookmark) ?? ''}</w:t></w:r>`);
    const text = `<w:r><w:t xml:space="preserve">${escapeText(entry.text)}</w:t></w:r><w:r><w:tab/></w:r>${page}`;
    const link = `<w:hyperlink w:anchor="${bookmark}" w:history="1">${text}</w:hyperlink>`;
    return writer.paragraph(`toc ${entry.level}`, (i === 0 ? begin : '') + link, {});
  });
  const heading = writer.paragraph(
    'TOC Heading',
    `<w:r><w:t>${escapeText(context.labels.contents)}</w:t></w:r>`,
    {},
  );
  const body = lines.length > 0 ? lines.join('') + end : '';
  return (
    `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/><w:docPartUnique/></w:docPartObj></w:sdtPr>` +
    `<w:sdtContent>${heading}${body}</w:sdtContent></w:sdt>${PAGE_BREAK}`
  );
}

/** Bookmark of the appendix; content after it is not in the structure's own blocks. */
export const APPENDIX_ID = 'scriptorium-appendix';

export function appendixHeading(title: string): HeadingBlock {
  return {
    type: 'heading',
    level: 1,
    id: APPENDIX_ID,
    content: [{ type: 'text', value: title }],
    line: 1,
    end_line: 1,
  };
}

export const pageBreak = PAGE_BREAK;

/** Writes the page header with the title. */
export function headerXml(settings: Settings, style: string): string {
  const text =
    settings.title === '' ? '' : `<w:r><w:t xml:space="preserve">${escapeText(settings.title)}</w:t></w:r>`;
  return `<w:p><w:pPr><w:pStyle w:val="${escapeAttribute(style)}"/><w:jc w:val="right"/></w:pPr>${text}</w:p>`;
}

export function footerXml(style: string): string {
  const number = (code: string): string => field(` ${code} `, '<w:r><w:t>1</w:t></w:r>');
  return (
    `<w:p><w:pPr><w:pStyle w:val="${escapeAttribute(style)}"/></w:pPr>${number('PAGE')}` +
    `<w:r><w:t xml:space="preserve"> / </w:t></w:r>${number('NUMPAGES')}</w:p>`
  );
}
