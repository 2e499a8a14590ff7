import { createHash } from 'node:crypto';
import type { TrimSize } from '#contracts/file-kinds.js';
import type { Block, HeadingEntry, Structure } from '#contracts/structure.js';
import { INDEX_ID, type IndexTerm } from '../../structure/book-index.js';
import type { PageLayout } from './sections.js';

/** Stands for the number of pages in a fact of the title page. */
export const PAGE_COUNT = '{pages}';

export interface DocxOptions {
  /** Title on the cover and in the properties; defaults to the front matter's or the first heading's. */
  title?: string;
  /** Title in the properties of a document with neither title nor heading. */
  untitled?: string;
  subtitle?: string;
  author?: string;
  /** BCP 47 language tag, such as `pl-PL`; defaults to the front matter's `lang`, then `en-US`. */
  language?: string;
  /** Adds a table of contents with page numbers after the cover. Default off. */
  toc?: boolean;
  /** Minimum number of headings for a table of contents if `toc` is not set. */
  tocFromHeadings?: number;
  /** Lists figures and tables after the table of contents, if there is one. Default: if there are at least five of a kind. */
  listOfFigures?: boolean;
  /** Numbers headings, such as 2.1. Default off. */
  numberSections?: boolean;
  /** Starts a page at every level-1 heading except the first block. Default off. */
  chaptersOnNewPages?: boolean;
  /** Adds a title page. Default: on if the options or the front matter contain a title. */
  cover?: boolean;
  /** Lines below the title on the title page; may contain `PAGE_COUNT`. */
  facts?: string[];
  /** Minimum number of pages of the text for a title page and a table of contents. Default 1. */
  frontFromPages?: number;
  /** Highlights code in colours that also print in grey. Default off. */
  codeColors?: boolean;
  /** Numbers the lines of code; the numbers are not part of its text. Default off. */
  lineNumbers?: boolean;
  pageSize?: 'A4' | 'Letter';
  /**
   * Sets the document as a book (B12): serif, justified and hyphenated text, mirrored margins, numbered chapters,
   * running heads, and pages numbered from the first chapter. A template has priority over it.
   */
  book?: BookLook;
  /** Template document for styles, header, footer, page size and margins. */
  referenceDocx?: Uint8Array;
  /** Custom document properties, shown in Word under File > Info > Advanced. */
  properties?: Record<string, string>;
  /**
   * SHA-256 of the manuscript. The file then says which manuscript it shows and how it was made, and each paragraph is
   * marked with its line, so that changes in Word can be read back (X9).
   */
  manuscript?: string;
  /** Says that proposals will be written into the file, which therefore says so too. */
  proposals?: 'tracked';
  /** Creation time in the properties; a fixed date by default, so that equal input produces equal bytes. */
  createdAt?: Date;
  /** Additional blocks on a new page after the document. */
  appendix?: { title: string; blocks: Block[] };
}

/** Typography of a book. */
export interface BookLook {
  trim: TrimSize;
  /** Title of a last chapter without a number, such as a bibliography. */
  backMatter?: string;
  /** Terms of an index at the end, in their order. */
  index?: IndexTerm[];
}

/** Options with all defaults applied, partly from the document's front matter. */
export interface Settings {
  title: string;
  subtitle: string;
  author: string;
  date: string;
  keywords: string;
  description: string;
  language: string;
  toc: boolean;
  /** Null for the default. */
  listOfFigures: boolean | null;
  numberSections: boolean;
  chaptersOnNewPages: boolean;
  cover: boolean;
  facts: string[];
  frontFromPages: number;
  codeColors: boolean;
  lineNumbers: boolean;
  page: PageLayout;
  /** Typography of a book, with the ID of the heading that has no number and the terms of its index; null for a report. */
  book: { backMatter: string | null; index: IndexTerm[] } | null;
  properties: Record<string, string>;
  createdAt: Date;
}

const PAGES: Readonly<Record<'A4' | 'Letter', PageLayout>> = {
  A4: { width: 11906, height: 16838, margin: 1440, header: 708 },
  Letter: { width: 12240, height: 15840, margin: 1440, header: 708 },
};
/** Returns the margin at the spine of a book, for the average of the inner and the outer one. */
export const innerMargin = (margin: number): number => Math.round(margin * 1.1);

/** Page sizes of books; the margin is the average of the inner and the outer one. */
const TRIMS: Readonly<Record<TrimSize, PageLayout>> = {
  a5: { width: 8391, height: 11906, margin: 1050, header: 560 },
  '5x8in': { width: 7200, height: 11520, margin: 900, header: 480 },
  digest: { width: 7920, height: 12240, margin: 990, header: 530 },
  '6x9in': { width: 8640, height: 12960, margin: 1100, header: 580 },
  a4: { width: 11906, height: 16838, margin: 1980, header: 1000 },
  letter: { width: 12240, height: 15840, margin: 2000, header: 1000 },
};
const FIXED_DATE = new Date('2000-01-01T00:00:00Z');
const KNOWN = new Set([
  'title',
  'subtitle',
  'author',
  'authors',
  'date',
  'keywords',
  'tags',
  'description',
  'abstract',
  'lang',
  'language',
]);

export function settingsOf(structure: Structure, options: DocxOptions): Settings {
  const front = structure.properties;
  const given = options.title ?? words(front.title);
  return {
    title: given || structure.title || (options.untitled ?? ''),
    subtitle: options.subtitle ?? words(front.subtitle),
    author: options.author ?? (words(front.author) || words(front.authors)),
    date: words(front.date),
    keywords: words(front.keywords) || words(front.tags),
    description: words(front.description) || words(front.abstract),
    language: languageTag(options.language ?? (words(front.lang) || words(front.language))),
    toc: options.toc ?? structure.headings.length >= (options.tocFromHeadings ?? Infinity),
    listOfFigures: options.listOfFigures ?? null,
    numberSections: options.numberSections ?? false,
    chaptersOnNewPages: options.chaptersOnNewPages ?? false,
    cover: options.cover ?? given !== '',
    facts: options.facts ?? [],
    frontFromPages: options.frontFromPages ?? 1,
    codeColors: options.codeColors ?? false,
    lineNumbers: options.lineNumbers ?? false,
    page: options.book ? TRIMS[options.book.trim] : PAGES[options.pageSize ?? 'A4'],
    book: options.book
      ? { backMatter: backMatterOf(structure, options.book), index: options.book.index ?? [] }
      : null,
    properties: { ...customProperties(front), ...options.properties, ...manuscriptProperty(options) },
    createdAt: options.createdAt ?? FIXED_DATE,
  };
}

function backMatterOf({ headings }: Structure, { backMatter }: BookLook): string | null {
  const last = headings.findLast(({ id, level }) => level === 1 && id !== INDEX_ID);
  return last && last.text === backMatter ? last.id : null;
}

/** Returns whether a heading has a number: each if sections are numbered, and the chapters of a book. */
export const isNumbered = (
  { numberSections, book }: Settings,
  { id, level }: Pick<HeadingEntry, 'id' | 'level'>,
): boolean => numberSections || (book !== null && level === 1 && id !== book.backMatter && id !== INDEX_ID);

/** Name of the custom property that says which manuscript a file shows, and with which options it was made. */
export const MANUSCRIPT_PROPERTY = 'Manuscript';

/** Returns the digests of manuscript and options that a Word file has in its properties; null if it is not ours. */
export function madeOf(properties: Record<string, string>): {
  manuscript: string | null;
  options: string | null;
} {
  const [, manuscript = null, options = null] =
    /^([0-9a-f]{64}) ([0-9a-f]{64})$/.exec(properties[MANUSCRIPT_PROPERTY] ?? '') ?? [];
  return { manuscript, options };
}

/** Returns the digests of manuscript and options; empty without a manuscript. */
function manuscriptProperty({ manuscript, ...options }: DocxOptions): Record<string, string> {
  if (manuscript === undefined) return {};
  const digest = createHash('sha256').update(JSON.stringify(options)).digest('hex');
  return { [MANUSCRIPT_PROPERTY]: `${manuscript} ${digest}` };
}

/** Converts a property value to text: joins lists, uses the name of an object. */
function words(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(words).filter(Boolean).join(', ');
  if (value && typeof value === 'object' && 'name' in value) return words(value.name);
  return '';
}

function languageTag(tag: string): string {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag) ? tag : 'en-US';
}

/** Returns the front matter that Word cannot store in a standard property. */
function customProperties(front: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(front)
    .filter(([key]) => !KNOWN.has(key.toLowerCase()))
    .map(([key, value]): [string, string] => [key, words(value)]);
  return Object.fromEntries(entries.filter(([key, value]) => key.trim() !== '' && value !== ''));
}
