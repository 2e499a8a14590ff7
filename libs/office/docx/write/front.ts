import type { Block, HeadingBlock, Inline, Structure } from '#contracts/structure.js';
import { plainText } from '../../structure/text.js';
import type { BlockWriter } from './blocks.js';
import { field } from './inlines.js';
import { SECTION_END } from './book-styles.js';
import { isNumbered, PAGE_COUNT, type Settings } from './options.js';
import { escapeAttribute, escapeText } from './xml.js';

const PAGE_BREAK = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
/** Levels of a table of contents, and the number of entries above which it has fewer. */
const TOC_LEVELS = 3;
const MANY_ENTRIES = 80;

/** Stands for the number of pages while it is unknown. */
const PAGE_COUNT_MARK = '<w:pageCount/>';

/** Writes the title page, without the page break after it. A title that is a heading is typeset as the heading. */
export function coverXml(settings: Settings, structure: Structure, writer: BlockWriter): string {
  const run = (text: string) => `<w:r><w:t xml:space="preserve">${escapeText(text)}</w:t></w:r>`;
  const line = (style: string, text: string): string =>
    text === '' ? '' : writer.paragraph(style, run(text), {});
  const count = field(' NUMPAGES ', `<w:r><w:t>${PAGE_COUNT_MARK}</w:t></w:r>`);
  const fact = (text: string) => writer.paragraph('Date', text.split(PAGE_COUNT).map(run).join(count), {});
  const isTitle = ({ content }: HeadingBlock) => plainText(content).trim() === settings.title;
  const heading = headingsOf(structure.blocks).find(isTitle);
  const title = heading && writer.paragraph('Title', writer.inlines.write(entryContent(heading.content)), {});
  return (
    (title ?? line('Title', settings.title)) +
    line('Subtitle', settings.subtitle) +
    line('Author', settings.author) +
    line('Date', settings.date) +
    settings.facts.map(fact).join('')
  );
}

/** Writes the number of pages into a title page. */
export const withPageCount = (cover: string, pages: number): string =>
  cover.replaceAll(PAGE_COUNT_MARK, String(pages));

/** Returns what is known about a book, for the page after its title page. */
export const imprintLines = ({ title, subtitle, author, date, language }: Settings): string[] =>
  [[title, subtitle].filter(Boolean).join(': '), author, date, languageName(language)].filter(Boolean);

/** Writes the page after a book's title page. */
export const imprintXml = (settings: Settings, writer: BlockWriter): string =>
  imprintLines(settings)
    .map((text) =>
      writer.paragraph('Imprint', `<w:r><w:t xml:space="preserve">${escapeText(text)}</w:t></w:r>`, {}),
    )
    .join('');

/** Returns the name of a language in itself, such as "Deutsch"; of a rare one, its code. */
function languageName(tag: string): string {
  const [primary = ''] = tag.split('-');
  return new Intl.DisplayNames([primary], { type: 'language' }).of(primary) ?? primary;
}

interface TocEntry {
  id: string;
  level: number;
  content: Inline[];
}

/** Table of contents: its entries, and its levels from 1 on. */
interface Contents {
  entries: TocEntry[];
  levels: number;
}

/**
 * Returns the headings listed in the table of contents, with numbers if sections are numbered. A document with many
 * headings lists only the upper levels.
 */
export function contentsOf(structure: Structure, settings: Settings): Contents {
  const shown = structure.headings.filter(({ text }) => text !== '');
  let levels = TOC_LEVELS;
  while (levels > 1 && shown.filter(({ level }) => level <= levels).length > MANY_ENTRIES) levels--;
  const contents = new Map(headingsOf(structure.blocks).map(({ id, content }) => [id, content]));
  const counters: number[] = [];
  const entries: TocEntry[] = [];
  for (const heading of structure.headings) {
    counters[heading.level - 1] = (counters[heading.level - 1] ?? 0) + 1;
    counters.length = heading.level;
    if (heading.level > levels || heading.text === '') continue;
    const number = Array.from(counters, (count) => count ?? 0).join('.');
    entries.push({
      id: heading.id,
      level: heading.level,
      content: [
        ...(isNumbered(settings, heading) ? [{ type: 'text' as const, value: `${number}  ` }] : []),
        ...entryContent(contents.get(heading.id) ?? [{ type: 'text', value: heading.text }]),
      ],
    });
  }
  return { entries, levels };
}

function headingsOf(blocks: readonly Block[]): HeadingBlock[] {
  return blocks.flatMap((block) => {
    if (block.type === 'heading') return [block];
    if (block.type === 'list') return headingsOf(block.items.flatMap((item) => item.blocks));
    return 'blocks' in block ? headingsOf(block.blocks) : [];
  });
}

/** Returns what an entry shows of a heading: its words, shifted letters and formulas. */
function entryContent(content: readonly Inline[]): Inline[] {
  return content.flatMap((inline): Inline[] => {
    if (inline.type === 'link') return entryContent(inline.content);
    if (inline.type === 'break') return [{ type: 'text', value: ' ' }];
    if (inline.type === 'math') return [inline];
    if (inline.type !== 'text') return [];
    const marks = inline.marks?.filter((mark) => mark === 'superscript' || mark === 'subscript') ?? [];
    return [{ type: 'text', value: inline.value, ...(marks.length > 0 ? { marks } : {}) }];
  });
}

/**
 * Writes a pre-filled table-of-contents field: Word shows these entries until it updates the field on
 * request.
 *
 * @param pages page numbers by bookmark name; an entry without one shows no number
 */
export function tocXml(
  { entries, levels }: Contents,
  pages: ReadonlyMap<string, number>,
  writer: BlockWriter,
): string {
  const { context } = writer;
  const begin =
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' +
    `<w:r><w:instrText xml:space="preserve"> TOC \\o "1-${levels}" \\h \\z \\u </w:instrText></w:r>` +
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r>';
  const end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>';
  const lines = entries.map((entry, i) => {
    const bookmark = context.bookmark(entry.id);
    const page = field(` PAGEREF ${bookmark} \\h `, `<w:r><w:t>${pages.get(bookmark) ?? ''}</w:t></w:r>`);
    const text = `${writer.inlines.write(entry.content)}<w:r><w:tab/></w:r>${page}`;
    const link = `<w:hyperlink w:anchor="${bookmark}" w:history="1">${text}</w:hyperlink>`;
    const content = `${i === 0 ? begin : ''}${link}${i === entries.length - 1 ? end : ''}`;
    return writer.paragraph(`toc ${entry.level}`, content, {});
  });
  const heading = writer.paragraph(
    'TOC Heading',
    `<w:r><w:t>${escapeText(context.labels.contents)}</w:t></w:r>`,
    {},
  );
  return (
    `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/><w:docPartUnique/></w:docPartObj></w:sdtPr>` +
    `<w:sdtContent>${heading}${lines.join('')}</w:sdtContent></w:sdt>`
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

/** Ends the section of the cover and contents. @param section its `w:sectPr` */
export const endOfFront = (section: string, writer: BlockWriter): string =>
  writer.paragraph(writer.context.settings.book ? SECTION_END : 'Spacer', '', { section });

/** Writes the page header. */
export function headerXml(words: string, style: string, side: 'left' | 'right'): string {
  const text = words === '' ? '' : `<w:r><w:t xml:space="preserve">${escapeText(words)}</w:t></w:r>`;
  return `<w:p><w:pPr><w:pStyle w:val="${escapeAttribute(style)}"/><w:jc w:val="${side}"/></w:pPr>${text}</w:p>`;
}

/** Writes the page footer: the page number, in a report with the number of pages. */
export function footerXml(style: string, withTotal: boolean): string {
  const number = (code: string): string => field(` ${code} `, '<w:r><w:t>1</w:t></w:r>');
  const total = withTotal ? `<w:r><w:t xml:space="preserve"> / </w:t></w:r>${number('NUMPAGES')}` : '';
  return `<w:p><w:pPr><w:pStyle w:val="${escapeAttribute(style)}"/></w:pPr>${number('PAGE')}${total}</w:p>`;
}
