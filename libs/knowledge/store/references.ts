import { fullName, readNames } from '#contracts/bibliography-names.js';
import {
  referenceChangeSchema,
  referenceSchema,
  type Reference,
  type ReferenceChange,
} from '#contracts/bibliography.js';
import type { Database } from '#db/client.js';
import { ObjectNotFoundError, type ObjectStore } from '#storage/object-store.js';
import { detailsKeyOf } from '../ingest/keys.js';
import { parseDetails, type PageStart } from '../ingest/work.js';
import type { KnowledgeSource } from '#db/generated/client.js';

/** A source as a text cites it. */
export interface CitedSource {
  reference: Reference;
  /** Author as stored or, if only a reference names authors, their names. */
  author: string | null;
  /** Pages of a PDF in their order; empty for other sources. */
  pages: PageStart[];
}

type ReferenceColumns = Pick<
  KnowledgeSource,
  'name' | 'title' | 'author' | 'published' | 'url' | 'language' | 'reference' | 'fileReference'
>;

/**
 * Returns what a bibliography says about a source. Fields that a person set as reference count most, then title, author,
 * date and address of the source, then what the file says.
 */
export function referenceOf(source: ReferenceColumns): Reference {
  const { title, author, published, url, language } = source;
  const names = author === null ? [] : readNames(author);
  const known = {
    title,
    authors: names.length > 0 ? names : null,
    issued: published,
    url,
    language,
  };
  const set = Object.entries(known).filter(([, value]) => value !== null);
  const all = { ...parsed(source.fileReference), ...Object.fromEntries(set), ...ownReference(source) };
  const fields = Object.entries(all).filter(([, value]) => value !== null);
  // Columns of older releases may contain what a reference does not allow, such as a title of two lines.
  return Object.fromEntries(
    fields.filter(([name, value]) => referenceSchema.safeParse({ [name]: value }).success),
  );
}

/** Returns the fields that people set. */
const ownReference = ({ reference }: Pick<KnowledgeSource, 'reference'>): ReferenceChange =>
  referenceChangeSchema.safeParse(reference).data ?? {};

const parsed = (reference: unknown): Reference => referenceSchema.safeParse(reference).data ?? {};

/**
 * Returns the fields that people set, after a change. A later change of the title, author or date of the source replaces
 * that of the reference.
 */
export function changedReference(
  source: Pick<KnowledgeSource, 'reference'>,
  { title, author, published }: { title?: unknown; author?: unknown; published?: unknown },
  change: ReferenceChange = {},
): ReferenceChange {
  const reference = ownReference(source);
  if (title !== undefined) delete reference.title;
  if (author !== undefined) delete reference.authors;
  if (published !== undefined) delete reference.issued;
  return { ...reference, ...change };
}

/** Returns the sources that a text cites by their IDs; deleted ones are left out. */
export async function citedSources(
  db: Pick<Database, 'knowledgeSource'>,
  store: ObjectStore,
  tenantId: string,
  ids: string[],
): Promise<Map<string, CitedSource>> {
  const rows = await db.knowledgeSource.findMany({ where: { tenantId, id: { in: [...new Set(ids)] } } });
  const sources = new Map<string, CitedSource>();
  for (const row of rows) {
    const reference = { title: row.name, ...referenceOf(row) };
    const isCorrected = ownReference(row).authors !== undefined || row.author === null;
    const names = reference.authors?.map(fullName).join(', ') ?? null;
    const author = isCorrected ? names : row.author;
    sources.set(row.id, { reference, author, pages: await pagesOf(store, row) });
  }
  return sources;
}

async function pagesOf(store: ObjectStore, { textKey }: KnowledgeSource): Promise<PageStart[]> {
  if (textKey === null) return [];
  try {
    return parseDetails(await store.getBytes(detailsKeyOf(textKey))).pages;
  } catch (error) {
    // An older release indexed the source.
    if (error instanceof ObjectNotFoundError) return [];
    throw error;
  }
}

/** Returns the page of a span, or its first and last; null if the pages are unknown. */
export function pageOf(pages: PageStart[], { start, end }: { start: number; end: number }): string | null {
  const first = pages.findLast(({ at }) => at <= start);
  const last = pages.findLast(({ at }) => at < Math.max(end, start + 1));
  if (!first || !last) return null;
  return first.page === last.page ? first.page : `${first.page}–${last.page}`;
}
