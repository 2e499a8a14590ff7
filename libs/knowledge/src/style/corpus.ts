import type { StyleSourceType } from '#contracts/api/corpus-schemas.js';
import { derivedId } from '#contracts/ids.js';
import { MAX_COLLECTIONS_SEARCHED, sourcePriorities, type SourcePriority } from '#contracts/knowledge.js';
import type { Database } from '#db/client.js';
import { pageByTime, type PageRequest } from '#db/page.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { StyleText } from '#writing/style/fingerprint.js';
import { CollectionRepository } from '../store/collections.js';
import type { KnowledgeSource } from '../store/sources.js';

/** Texts of a corpus that are read for its fingerprint, and their characters in all; more say little more. */
const MAX_TEXTS = 200;
const MAX_CHARACTERS = 2_000_000;

/** Which texts of a corpus count. */
export interface StyleFilter {
  sourceType?: StyleSourceType | undefined;
  author?: string | undefined;
}

/** Whose a text of a style collection is: by others what is there for its tone only, the tenant's own anything else (A9). */
export const styleTypeOf = (priority: string): StyleSourceType =>
  priority === 'tone-only' ? 'external' : 'own';
export const priorityOfStyle = (type: StyleSourceType): SourcePriority =>
  type === 'own' ? 'primary' : 'tone-only';
export const prioritiesOfStyle = (type: StyleSourceType): SourcePriority[] =>
  sourcePriorities.filter((priority) => styleTypeOf(priority) === type);

/** The tenant's style collection into which texts are ingested; it is made when it is not there yet. @throws ProblemError `too_many_collections` */
export async function styleCollection(db: Database, tenantId: string): Promise<string> {
  const id = derivedId('col', `${tenantId}/style`);
  await new CollectionRepository(db).create(tenantId, { id, name: 'Style corpus', purpose: 'style' });
  return id;
}

/** The style collections of a tenant that are of no project, newest first. */
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

/** The texts of style collections, newest first; each collection is read along its index. */
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

/** Whether these collections, or all style collections of the tenant, contain a text that has not failed. */
export async function hasStyleTexts(db: Database, tenantId: string, named?: string[]): Promise<boolean> {
  const collections = named ?? (await styleCollections(db, tenantId));
  const where = { tenantId, collectionId: { in: collections }, state: { not: 'failed' } };
  return (await db.knowledgeSource.findFirst({ where, select: { id: true } })) !== null;
}

/** The indexed texts of style collections, the newest 200 and at most some 2 MB of them, for a fingerprint. */
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
