import { cutAt, visibleLine } from '#contracts/text.js';
import { parse } from 'parse5';
import { attribute, nodesOf, textOf, type Element } from './elements.js';

/** Details from the metadata of a web page; null for missing details. */
export interface PageDetails {
  title: string | null;
  author: string | null;
  /** Date of publication, `YYYY-MM-DD`. */
  date: string | null;
}

const AUTHORS = ['author', 'article:author', 'dc.creator', 'citation_author', 'parsely-author'];
const TITLES = ['og:title', 'citation_title', 'dc.title'];
const DATES = [
  ...['article:published_time', 'datepublished', 'citation_publication_date', 'dc.date.issued', 'dc.date'],
  ...['pubdate', 'publish-date', 'date'],
];
const MAX_LENGTH = 300;

/** Reads title, author and date of publication from the metadata of an HTML page. */
export const pageDetails = (html: string): PageDetails => pageMetadata(html).details;

/** Reads the metadata of an HTML page: its details, and all values by their names in lower case. */
export function pageMetadata(html: string): { details: PageDetails; all(name: string): string[] } {
  const page = readPage(html);
  return { details: detailsOf(page), all: (name) => page.meta.get(name) ?? [] };
}

function detailsOf(page: ReadPage): PageDetails {
  const firstOf = (names: string[], read: (value: string) => string | null) =>
    names.map((name) => read(page.meta.get(name)?.[0] ?? '')).find((value) => value !== null) ?? null;
  return {
    title: firstOf(TITLES, lineOf) ?? lineOf(page.title),
    author: firstOf(AUTHORS, nameOf) ?? nameOf(page.linked.author),
    date: firstOf(DATES, dateOf) ?? dateOf(page.linked.date) ?? dateOf(page.time),
  };
}

interface ReadPage {
  /** Values of each name, in lower case. */
  meta: Map<string, string[]>;
  title: string;
  /** Value of a `time` element that is marked as the date of publication. */
  time: string;
  /** Author and date from JSON-LD. */
  linked: { author: string; date: string };
}

function readPage(html: string): ReadPage {
  const page: ReadPage = { meta: new Map(), title: '', time: '', linked: { author: '', date: '' } };
  for (const node of nodesOf(parse(html))) if ('tagName' in node) note(page, node);
  return page;
}

function note(page: ReadPage, element: Element): void {
  const given = (name: string) => attribute(element, name) ?? '';
  if (element.tagName === 'title' && page.title === '') page.title = textOf(element);
  if (element.tagName === 'meta') {
    const name = (given('name') || given('property') || given('itemprop')).toLowerCase();
    if (name !== '') page.meta.set(name, [...(page.meta.get(name) ?? []), given('content')]);
  }
  if (element.tagName === 'time' && page.time === '') {
    const isPublication = given('itemprop') === 'datePublished' || given('pubdate') !== '';
    if (isPublication) page.time = given('datetime');
  }
  if (element.tagName === 'script' && given('type') === 'application/ld+json')
    noteLinkedData(page, textOf(element));
}

function noteLinkedData(page: ReadPage, json: string): void {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return;
  }
  const graph = (data as { '@graph'?: unknown } | null)?.['@graph'];
  for (const item of [data, graph].flat() as ({ author?: unknown; datePublished?: unknown } | null)[]) {
    const [author] = [item?.author].flat() as ({ name?: unknown } | string | undefined)[];
    const name = typeof author === 'string' ? author : author?.name;
    if (typeof name === 'string') page.linked.author ||= name;
    if (typeof item?.datePublished === 'string') page.linked.date ||= item.datePublished;
  }
}

const lineOf = (value: string): string | null => cutAt(visibleLine(value), MAX_LENGTH) || null;

/** Omits addresses, which some pages give as their author. */
const nameOf = (value: string): string | null => (/^https?:/i.test(value) ? null : lineOf(value));

function dateOf(value: string): string | null {
  const [, year, month, day] = /^(\d{4})[-/.](\d{2})[-/.](\d{2})(?!\d)/.exec(value.trim()) ?? [];
  if (!year) return null;
  const date = `${year}-${month}-${day}`;
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date) ? date : null;
}
