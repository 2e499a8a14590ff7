import type { Block, Structure } from '../../structure/schema.js';
import type { PageLayout } from './context.js';

export interface DocxOptions {
  /** Title on the cover and in the properties; else the front matter's or the first heading's. */
  title?: string;
  /** Title in the properties of a document that has none, nor a heading. */
  untitled?: string;
  subtitle?: string;
  author?: string;
  /** BCP 47 tag of the words, such as `pl-PL`; else the front matter's `lang`, else `en-US`. */
  language?: string;
  /** A table of contents with page numbers, after the cover. Default off. */
  toc?: boolean;
  /** Where `toc` is not given: a document of so many headings has a table of contents. */
  tocFromHeadings?: number;
  /** Headings carry numbers such as 2.1. Default off. */
  numberSections?: boolean;
  /** Every heading of level 1 but the first block begins a page. Default off. */
  chaptersOnNewPages?: boolean;
  /** A title page. Default: on when the options or the front matter give a title. */
  cover?: boolean;
  /** Code in the colours of its language, which print in grey as well. Default off. */
  codeColors?: boolean;
  /** Numbers before the lines of code; they are no part of its text. Default off. */
  lineNumbers?: boolean;
  pageSize?: 'A4' | 'Letter';
  /** A company's own document: its styles, header, footer, page and margins are taken. */
  referenceDocx?: Uint8Array;
  /** Custom document properties, shown in Word under File > Info > Advanced. */
  properties?: Record<string, string>;
  /** Creation time in the properties; a fixed date by default, so that equal input gives equal bytes. */
  createdAt?: Date;
  /** More blocks after the document, on a page of their own. */
  appendix?: { title: string; blocks: Block[] };
}

/** The options with every default filled in from the document's own front matter. */
export interface Settings {
  title: string;
  subtitle: string;
  author: string;
  date: string;
  keywords: string;
  description: string;
  language: string;
  toc: boolean;
  numberSections: boolean;
  chaptersOnNewPages: boolean;
  cover: boolean;
  codeColors: boolean;
  lineNumbers: boolean;
  page: PageLayout;
  properties: Record<string, string>;
  createdAt: Date;
}

const PAGES: Readonly<Record<'A4' | 'Letter', PageLayout>> = {
  A4: { width: 11906, height: 16838, margin: 1440, header: 708 },
  Letter: { width: 12240, height: 15840, margin: 1440, header: 708 },
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
    numberSections: options.numberSections ?? false,
    chaptersOnNewPages: options.chaptersOnNewPages ?? false,
    cover: options.cover ?? given !== '',
    codeColors: options.codeColors ?? false,
    lineNumbers: options.lineNumbers ?? false,
    page: PAGES[options.pageSize ?? 'A4'],
    properties: { ...customProperties(front), ...options.properties },
    createdAt: options.createdAt ?? FIXED_DATE,
  };
}

/** A property's value as words: a list is joined, an object with a name is its name. */
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

/** Front matter that Word has no property for. */
function customProperties(front: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(front)
    .filter(([key]) => !KNOWN.has(key.toLowerCase()))
    .map(([key, value]): [string, string] => [key, words(value)]);
  return Object.fromEntries(entries.filter(([key, value]) => key.trim() !== '' && value !== ''));
}
