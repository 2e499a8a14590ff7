import type { StyleSourceType } from '../contract/corpus-schemas.js';
import { derivedId } from '#contracts/ids.js';
import {
  MAX_COLLECTIONS_SEARCHED,
  sourcePriorities,
  type SourcePriority,
  type SearchHit,
} from '#knowledge/contract.js';
import type { Database } from '#db/client.js';
import { pageByTime, type PageRequest } from '#db/page.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { StyleText } from '#writing/style/fingerprint.js';
import { CollectionRepository } from '#knowledge/store/collections.js';
import type { KnowledgeSource } from '#knowledge/store/sources.js';
import { search, type SemanticSearch } from '#knowledge/search/search.js';

/** Number of own passages below which passages by others are added (A9). */
const ENOUGH_OWN = 3;

/**
 * Returns the passages of style collections nearest to a query (A9: `styleQuery` of topic and first
 * paragraph). The tenant's own come first, best first; if there are fewer than three, passages by others fill
 * up to `k`. Supports every searchable language. Called by `rag_retriever` of the kind `article`.
 *
 * @param k `RAG_TOP_K`
 */
export async function stylePassages(
  db: Database,
  tenantId: string,
  collections: string[],
  query: string,
  k: number,
  semantic?: SemanticSearch,
): Promise<SearchHit[]> {
  if (collections.length === 0 || query.trim() === '') return [];
  const find = async (type: 'own' | 'external', count: number) => {
    const request = { collections, query, k: count, filters: { priorities: prioritiesOfStyle(type) } };
    return (await search(db, tenantId, request, semantic)).hits;
  };
  const own = await find('own', k);
  if (own.length >= Math.min(ENOUGH_OWN, k)) return own;
  return [...own, ...(await find('external', k - own.length))];
}

/**
 * Limits for the texts of a corpus that are read for its fingerprint: number, and characters in total. More
 * texts hardly change it.
 */
const MAX_TEXTS = 200;
const MAX_CHARACTERS = 2_000_000;

/** Filter for the texts of a corpus. */
export interface StyleFilter {
  sourceType?: StyleSourceType | undefined;
  author?: string | undefined;
}

/**
 * Returns whether a text of a style collection is the tenant's own or, if it only sets the tone, by others
 * (A9).
 */
export const styleTypeOf = (priority: string): StyleSourceType =>
  priority === 'tone-only' ? 'external' : 'own';
export const priorityOfStyle = (type: StyleSourceType): SourcePriority =>
  type === 'own' ? 'primary' : 'tone-only';
export const prioritiesOfStyle = (type: StyleSourceType): SourcePriority[] =>
  sourcePriorities.filter((priority) => styleTypeOf(priority) === type);

/**
 * Returns the ID of the tenant's style collection, and creates it if necessary. @throws ProblemError
 * `too_many_collections`
 */
export async function styleCollection(db: Database, tenantId: string): Promise<string> {
  const id = derivedId('col', `${tenantId}/style`);
  await new CollectionRepository(db).create(tenantId, { id, name: 'Style corpus', purpose: 'style' });
  return id;
}

/** Returns the IDs of the tenant's style collections that belong to no project, newest first. */
export async function styleCollections(db: Database, tenantId: string): Promise<string[]> {
  const found = await db.knowledgeCollection.findMany({
    where: { tenantId, purpose: 'style', projectId: null },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_COLLECTIONS_SEARCHED,
    select: { id: true },
  });
  return found.map(({ id }) => id);
}

const whereOf = (tenantId: string, { sourceType, author }: StyleFilter) => ({
  tenantId,
  ...(sourceType && { priority: { in: prioritiesOfStyle(sourceType) } }),
  ...(author !== undefined && { author }),
});

const byTime = (a: KnowledgeSource, b: KnowledgeSource) =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);

/** Returns a page of the texts of style collections, newest first. Each collection is read in index order. */
export async function pageStyleTexts(
  db: Database,
  tenantId: string,
  collections: string[],
  filter: StyleFilter,
  request: PageRequest,
): Promise<KnowledgeSource[]> {
  const { where, ...page } = pageByTime(request, 'desc');
  const pages = await Promise.all(
    collections.map((collectionId) =>
      db.knowledgeSource.findMany({
        where: { ...whereOf(tenantId, filter), collectionId, AND: where },
        ...page,
      }),
    ),
  );
  return pages.flat().sort(byTime).slice(0, request.take);
}

/**
 * Returns whether these collections, or all style collections of the tenant, contain a text that has not
 * failed.
 */
export async function hasStyleTexts(db: Database, tenantId: string, named?: string[]): Promise<boolean> {
  const collections = named ?? (await styleCollections(db, tenantId));
  const where = { tenantId, collectionId: { in: collections }, state: { not: 'failed' } };
  return (await db.knowledgeSource.findFirst({ where, select: { id: true } })) !== null;
}

/**
 * Reads the indexed texts of style collections for a fingerprint: the newest 200, up to about 2 million
 * characters.
 */
export async function readStyleTexts(
  { db, store }: { db: Database; store: ObjectStore },
  tenantId: string,
  collections: string[],
  filter: StyleFilter = {},
): Promise<StyleText[]> {
  const sources = await db.knowledgeSource.findMany({
    where: { ...whereOf(tenantId, filter), collectionId: { in: collections }, textKey: { not: null } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_TEXTS,
  });
  const texts: StyleText[] = [];
  let characters = 0;
  for (const { textKey, title, name } of sources) {
    if (characters > MAX_CHARACTERS) break;
    const text = Buffer.from(await store.getBytes(textKey!)).toString('utf8');
    characters += text.length;
    texts.push({ title: title ?? name, text });
  }
  return texts;
}
