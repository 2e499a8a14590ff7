import type { Block, HeadingBlock, Inline, Structure } from '#contracts/structure.js';
import type { IndexEntry } from '../../structure/book-index.js';
import { captionLabel } from '../../structure/caption-label.js';
import { allBlocks, plainText } from '../../structure/text.js';
import type { BlockWriter } from './blocks.js';
import { field, pagesMark } from './inlines.js';
import { SECTION_END } from './book-styles.js';
import type { Labels } from './labels.js';
import { isNumbered, PAGE_COUNT, type Settings } from './options.js';
import { entryStyle } from './styles.js';
import { escapeAttribute, escapeText } from './xml.js';

const PAGE_BREAK = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
/** Levels of a table of contents, and the number of entries above which it has fewer. */
const TOC_LEVELS = 3;
const MANY_ENTRIES = 80;
/** Number of figures or tables with captions from which they are listed. */
const MANY_CAPTIONS = 5;
/** Space above a further list, in twentieths of a point. */
const BETWEEN_LISTS = 480;

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

/** Writes the first two pages of a book: its title alone, and an empty page. */
export const halfTitleXml = ({ title }: Settings, writer: BlockWriter): string =>
  writer.paragraph('Half Title', `<w:r><w:t xml:space="preserve">${escapeText(title)}</w:t></w:r>`, {}) +
  PAGE_BREAK.repeat(2);

/** Writes the index of a book, whose pages are not known yet. */
export const indexXml = (entries: readonly IndexEntry[], writer: BlockWriter): string =>
  entries
    .map(({ term, anchors }) => {
      const words = `<w:r><w:t xml:space="preserve">${escapeText(term)}</w:t></w:r>`;
      return writer.paragraph(
        'index 1',
        words + pagesMark(anchors.map((id) => writer.context.bookmark(id))),
        {},
      );
    })
    .join('');

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

/** A list of places with their pages, such as the table of contents, as a field that Word updates on request. */
export interface PlaceList {
  kind: 'heading' | 'figure' | 'table';
  title: string;
  /** Switches of the `TOC` field by which Word finds the places. */
  switches: string;
  entries: { id: string; style: string; content: Inline[] }[];
}

const textOf = (value: string): Inline => ({ type: 'text', value });

/** Returns the lists before the text: the table of contents, then those of captions. */
export const listsOf = (structure: Structure, settings: Settings, labels: Labels): PlaceList[] => [
  contentsOf(structure, settings, labels),
  ...captionLists(structure, settings, labels),
];

/** Returns the lists of figures and tables with captions. */
export function captionLists(structure: Structure, { listOfFigures }: Settings, labels: Labels): PlaceList[] {
  const least = listOfFigures === null ? MANY_CAPTIONS : listOfFigures ? 1 : Infinity;
  return (['figure', 'table'] as const)
    .map((kind) => captionsOf(structure, labels, kind))
    .filter(({ entries }) => entries.length >= least);
}

/**
 * Returns the headings listed in the table of contents, with numbers if sections are numbered. A document with many
 * headings lists only the upper levels.
 */
function contentsOf(structure: Structure, settings: Settings, labels: Labels): PlaceList {
  const shown = structure.headings.filter(({ text }) => text !== '');
  let levels = TOC_LEVELS;
  while (levels > 1 && shown.filter(({ level }) => level <= levels).length > MANY_ENTRIES) levels--;
  const contents = new Map(headingsOf(structure.blocks).map(({ id, content }) => [id, content]));
  const counters: number[] = [];
  const entries: PlaceList['entries'] = [];
  for (const heading of structure.headings) {
    counters[heading.level - 1] = (counters[heading.level - 1] ?? 0) + 1;
    counters.length = heading.level;
    if (heading.level > levels || heading.text === '') continue;
    const number = Array.from(counters, (count) => count ?? 0).join('.');
    entries.push({
      id: heading.id,
      style: entryStyle(heading.level)[0],
      content: [
        ...(isNumbered(settings, heading) ? [textOf(`${number}  `)] : []),
        ...entryContent(contents.get(heading.id) ?? [textOf(heading.text)]),
      ],
    });
  }
  return { kind: 'heading', title: labels.contents, switches: `\\o "1-${levels}" \\h \\z \\u`, entries };
}

/** Returns the captions of figures or tables; the author's own labels are unchanged. */
function captionsOf({ blocks }: Structure, labels: Labels, kind: 'figure' | 'table'): PlaceList {
  const entries = allBlocks(blocks).flatMap((block) => {
    if (block.type !== kind || block.id === null || block.caption === null) return [];
    const words = typeof block.caption === 'string' ? [textOf(block.caption)] : block.caption;
    const label = captionLabel(words) === null ? [textOf(`${labels[kind]} ${block.number}: `)] : [];
    return [{ id: block.id, style: entryStyle(0)[0], content: [...label, ...entryContent(words)] }];
  });
  return { kind, title: labels[`${kind}s`], switches: `\\h \\z \\c "${labels[kind]}"`, entries };
}

const headingsOf = (blocks: readonly Block[]): HeadingBlock[] =>
  allBlocks(blocks).filter((block) => block.type === 'heading');

/** Returns what an entry shows of a heading or caption: its words, shifted letters and formulas. */
function entryContent(content: readonly Inline[]): Inline[] {
  return content.flatMap((inline): Inline[] => {
    if (inline.type === 'link') return entryContent(inline.content);
    if (inline.type === 'break') return [textOf(' ')];
    if (inline.type === 'math') return [inline];
    if (inline.type !== 'text') return [];
    const marks = inline.marks?.filter((mark) => mark === 'superscript' || mark === 'subscript') ?? [];
    return [{ type: 'text', value: inline.value, ...(marks.length > 0 ? { marks } : {}) }];
  });
}

/**
 * Writes lists of places as pre-filled fields: Word shows these entries until it updates the fields on request.
 *
 * @param pages page numbers by bookmark name; an entry without one shows no number
 */
export function listsXml(
  lists: readonly PlaceList[],
  pages: ReadonlyMap<string, number>,
  writer: BlockWriter,
): string {
  const { context } = writer;
  const end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>';
  return lists
    .map(({ title, switches, entries }, at) => {
      const begin =
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' +
        `<w:r><w:instrText xml:space="preserve"> TOC ${escapeText(switches)} </w:instrText></w:r>` +
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>';
      const lines = entries.map(({ id, style, content }, i) => {
        const bookmark = context.bookmark(id);
        const page = field(` PAGEREF ${bookmark} \\h `, `<w:r><w:t>${pages.get(bookmark) ?? ''}</w:t></w:r>`);
        const text = `${writer.inlines.write(content)}<w:r><w:tab/></w:r>${page}`;
        const link = `<w:hyperlink w:anchor="${bookmark}" w:history="1">${text}</w:hyperlink>`;
        return writer.paragraph(
          style,
          `${i === 0 ? begin : ''}${link}${i === entries.length - 1 ? end : ''}`,
          {},
        );
      });
      const words = `<w:r><w:t>${escapeText(title)}</w:t></w:r>`;
      const heading = writer.paragraph('TOC Heading', words, at > 0 ? { before: BETWEEN_LISTS } : {});
      return (
        `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/><w:docPartUnique/></w:docPartObj></w:sdtPr>` +
        `<w:sdtContent>${heading}${lines.join('')}</w:sdtContent></w:sdt>`
      );
    })
    .join('');
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
