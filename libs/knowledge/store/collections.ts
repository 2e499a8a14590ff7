import { despiteDeadlocks } from '#engine/recovery/outage.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import type { KnowledgePurpose } from '../contract.js';
import type { Database } from '#db/client.js';
import type { KnowledgeCollection } from '#db/generated/client.js';
import { lockTenant } from '#db/lock-tenant.js';
import { pageByTime, type PageRequest, containsText } from '#db/page.js';
import type { ObjectStore } from '#storage/object-store.js';
import { collectionPrefix } from '#storage/session-keys.js';

export type { KnowledgeCollection };

/** Maximum number of collections of a tenant. */
export const MAX_COLLECTIONS = 10_000;

interface NewCollection {
  /** Generated if absent. If a collection with this ID exists, it is returned unchanged. */
  id?: string;
  name: string;
  purpose: KnowledgePurpose;
  description?: string | null;
  /** ID of a project; null for a collection of the tenant. */
  projectId?: string | null;
  /** ID of the session with which the collection is deleted; null if no session deletes it. */
  sessionId?: string | null;
}

interface CollectionFilter {
  purpose?: KnowledgePurpose;
  projectId?: string;
  /** Part of the name, or of the title of the book to which the collection belongs. */
  title?: string;
}

export class CollectionRepository {
  constructor(private readonly db: Database) {}

  /** @throws ProblemError `too_many_collections` */
  create(
    tenantId: string,
    { id = newId('col'), ...collection }: NewCollection,
  ): Promise<KnowledgeCollection> {
    return this.db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      const there = await tx.knowledgeCollection.findFirst({ where: { id, tenantId } });
      if (there) return there;
      if ((await tx.knowledgeCollection.count({ where: { tenantId } })) >= MAX_COLLECTIONS)
        throw new ProblemError(
          'too_many_collections',
          phrase('too_many_collections.max', { max: MAX_COLLECTIONS }),
        );
      return tx.knowledgeCollection.create({ data: { id, tenantId, ...collection } });
    });
  }

  /** Returns a page, newest first. */
  async page(
    tenantId: string,
    { title, ...filter }: CollectionFilter,
    request: PageRequest,
  ): Promise<KnowledgeCollection[]> {
    const { where, ...page } = pageByTime(request, 'desc');
    const named = title === undefined ? {} : { OR: await this.namedLike(tenantId, title) };
    return this.db.knowledgeCollection.findMany({
      where: { tenantId, ...filter, ...named, AND: where },
      ...page,
    });
  }

  private async namedLike(tenantId: string, title: string) {
    const books = await this.db.bookProject.findMany({
      where: { tenantId, title: containsText(title) },
      select: { id: true },
      take: MAX_COLLECTIONS,
    });
    return [{ name: containsText(title) }, { projectId: { in: books.map(({ id }) => id) } }];
  }

  /** Returns the titles of books by their IDs. */
  async bookTitles(tenantId: string, projectIds: string[]): Promise<Map<string, string>> {
    if (projectIds.length === 0) return new Map();
    const books = await this.db.bookProject.findMany({
      where: { tenantId, id: { in: projectIds } },
      select: { id: true, title: true },
    });
    return new Map(books.map(({ id, title }) => [id, title]));
  }

  find(tenantId: string, collectionId: string): Promise<KnowledgeCollection | null> {
    return this.db.knowledgeCollection.findFirst({ where: { id: collectionId, tenantId } });
  }

  /** @throws ProblemError `not_found` */
  async require(tenantId: string, collectionId: string): Promise<KnowledgeCollection> {
    const collection = await this.find(tenantId, collectionId);
    if (!collection) throw new ProblemError('not_found', phrase('not_found.collection'));
    return collection;
  }

  /** @throws ProblemError `not_found` */
  async change(
    tenantId: string,
    collectionId: string,
    data: Partial<Pick<KnowledgeCollection, 'name' | 'description' | 'projectId'>>,
  ): Promise<KnowledgeCollection> {
    await this.db.knowledgeCollection.updateMany({ where: { id: collectionId, tenantId }, data });
    return this.require(tenantId, collectionId);
  }

  /** Deletes a collection with all its content. @throws ProblemError `not_found` */
  async remove(store: ObjectStore, tenantId: string, collectionId: string): Promise<void> {
    const prefix = collectionPrefix(tenantId, collectionId);
    const [, { count }] = await despiteDeadlocks(() =>
      this.db.$transaction([
        this.db.$executeRaw`
        /* purge collection */ INSERT INTO purges (prefix) SELECT ${prefix} FROM knowledge_collections WHERE id = ${collectionId} AND tenant_id = ${tenantId}
        ON CONFLICT DO NOTHING`,
        this.db.knowledgeCollection.deleteMany({ where: { id: collectionId, tenantId } }),
      ]),
    );
    if (count === 0) throw new ProblemError('not_found', phrase('not_found.collection'));
    await store.deletePrefix(prefix);
  }

  /** Returns the number of sources in each state and of chunks, by collection. */
  async counts(tenantId: string, collectionIds: string[]): Promise<Map<string, CollectionCounts>> {
    const rows = await this.db.$queryRaw<{ id: string; state: string; sources: number; chunks: number }[]>`
      SELECT collection_id AS id, state, count(*)::int AS sources, sum(chunks)::int AS chunks FROM knowledge_sources
      WHERE collection_id = ANY(${collectionIds}) AND tenant_id = ${tenantId} GROUP BY 1, 2`;
    const counts = new Map<string, CollectionCounts>();
    for (const { id, state, sources, chunks } of rows) {
      const counted = counts.get(id) ?? { sources: 0, chunks: 0, byState: {} };
      counted.sources += sources;
      counted.chunks += chunks;
      counted.byState[state] = sources;
      counts.set(id, counted);
    }
    return counts;
  }
}

export interface CollectionCounts {
  sources: number;
  chunks: number;
  byState: Record<string, number>;
}
