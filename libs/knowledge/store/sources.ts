import { ProblemError } from '#contracts/errors.js';
import type { ReferenceChange } from '#contracts/bibliography.js';
import type { Detail } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { SourcePriority, SourceState } from '../contract.js';
import { Prisma, type Database, type DatabaseOrTransaction } from '#db/client.js';
import type { KnowledgeChunk, KnowledgeSource } from '#db/generated/client.js';
import { toJsonb } from '#db/jsonb.js';
import { LOCK_TIMEOUTS, lockTenant } from '#db/lock-tenant.js';
import { pageByTime, type PageRequest } from '#db/page.js';
import { storageBytes, unnamedObjects } from '#db/unnamed-objects.js';
import type { ObjectStore } from '#storage/object-store.js';
import { contentFolder } from '../ingest/keys.js';
import { changedReference } from './references.js';
import { markDeleted } from './segments.js';

export type { KnowledgeChunk, KnowledgeSource };

/** Returns the code and parameters of a source's problem; undefined if the text has none. */
export const problemPhraseOf = ({ problemPhrase }: KnowledgeSource): Phrase | undefined =>
  (problemPhrase as Phrase | null) ?? undefined;

/** Returns why a source failed or is delayed; null without a problem. */
export const problemOf = (source: KnowledgeSource): Detail | null =>
  problemPhraseOf(source) ?? source.problem;

/** Position of a chunk in its source. */
export type ChunkPlace = Pick<KnowledgeChunk, 'startAt'>;

/** PostgreSQL channel that notifies workers of due sources. */
export const SOURCES_CHANNEL = 'scriptorium_sources';

/** Properties of a source that a client sets. */
export interface SourceDetails {
  title?: string | null;
  author?: string | null;
  /** Date of publication, `YYYY-MM-DD`. */
  published?: string | null;
  priority?: SourcePriority;
  /** ISO 639-1 code; null to detect it. */
  givenLanguage?: string | null;
}

/** A source whose bytes are already in the object store. */
export interface NewSource extends SourceDetails {
  /** A new ID, or that of the source whose content and name it replaces. */
  id: string;
  name: string;
  mediaType: string;
  size: number;
  sha256: string;
  objectKey: string;
  /** Address of the page whose copy the source is, and when the page was read. */
  url?: string;
  fetchedAt?: Date;
}

/** Result of adding a source. */
export interface AddedSource {
  source: KnowledgeSource;
  /** `unchanged` if the collection already has these bytes; then the new object is not needed. */
  outcome: 'created' | 'replaced' | 'unchanged';
}

type Transaction = Parameters<Parameters<Database['$transaction']>[0]>[0];

export class SourceRepository {
  constructor(private readonly db: Database) {}

  /**
   * Adds sources to a collection, all or none, and queues them for indexing. If the collection already has
   * the same bytes, nothing is added; new bytes under an existing name replace that source's content.
   *
   * @param maxBytes storage limit of the tenant
   * @throws ProblemError `not_found`, `storage_quota_exceeded`, `invalid_request` for a source whose new bytes are
   * those of another one
   */
  add(
    tenantId: string,
    collectionId: string,
    sources: NewSource[],
    maxBytes: bigint,
  ): Promise<AddedSource[]> {
    return this.db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      const collection = await tx.knowledgeCollection.findFirst({ where: { id: collectionId, tenantId } });
      if (!collection) throw new ProblemError('not_found', phrase('not_found.collection'));
      const added: AddedSource[] = [];
      for (const source of sources) added.push(await addOne(tx, tenantId, collectionId, source));
      const used = await storageBytes(tx, tenantId);
      if (used > maxBytes)
        throw new ProblemError(
          'storage_quota_exceeded',
          phrase('storage_quota_exceeded.would_use', { used: String(used), limit: String(maxBytes) }),
        );
      await tx.$executeRaw`SELECT pg_notify(${SOURCES_CHANNEL}, '')`;
      return added;
    }, LOCK_TIMEOUTS);
  }

  /** Returns the objects that no source refers to, to clean up after a failed `add`; see `unnamedObjects`. */
  unnamed<T extends { objectKey: string }>(tenantId: string, objects: T[]): Promise<T[]> {
    return unnamedObjects(this.db, tenantId, objects, (tx, keys) =>
      tx.knowledgeSource.findMany({
        where: { tenantId, objectKey: { in: keys } },
        select: { objectKey: true },
      }),
    );
  }

  /** Returns a page, newest first. */
  page(
    tenantId: string,
    collectionId: string,
    filter: { state?: SourceState },
    request: PageRequest,
  ): Promise<KnowledgeSource[]> {
    const { where, ...page } = pageByTime(request, 'desc');
    return this.db.knowledgeSource.findMany({
      where: { tenantId, collectionId, ...filter, AND: where },
      ...page,
    });
  }

  /** Returns the next sources with an address, by ID. */
  pagesAfter(
    tenantId: string,
    collectionId: string,
    after: string,
    take: number,
  ): Promise<KnowledgeSource[]> {
    return this.db.knowledgeSource.findMany({
      where: { tenantId, collectionId, url: { not: null }, id: { gt: after } },
      orderBy: { id: 'asc' },
      take,
    });
  }

  /** Returns the sources with these addresses. */
  withAddresses(tenantId: string, collectionId: string, urls: string[]): Promise<KnowledgeSource[]> {
    return this.db.knowledgeSource.findMany({ where: { tenantId, collectionId, url: { in: urls } } });
  }

  /** @throws ProblemError `not_found` */
  async require(tenantId: string, collectionId: string, sourceId: string): Promise<KnowledgeSource> {
    const where = { id: sourceId, collectionId, tenantId };
    return found(await this.db.knowledgeSource.findFirst({ where }));
  }

  /** Returns a book's source by its ID, with the ID of the book. @throws ProblemError `not_found` */
  async ofBook(tenantId: string, sourceId: string): Promise<{ source: KnowledgeSource; projectId: string }> {
    const where = { id: sourceId, tenantId, collection: { purpose: 'knowledge', projectId: { not: null } } };
    const row = await this.db.knowledgeSource.findFirst({ where, include: { collection: true } });
    const { collection, ...source } = found(row);
    return { source, projectId: collection.projectId! };
  }

  /**
   * Changes the properties of a source; a new title or language queues it for indexing.
   *
   * @param reference changed fields of its bibliographic reference, which need no indexing
   * @throws ProblemError `not_found`
   */
  async change(
    tenantId: string,
    collectionId: string,
    sourceId: string,
    details: SourceDetails,
    reference?: ReferenceChange,
  ): Promise<KnowledgeSource> {
    const before = await this.require(tenantId, collectionId, sourceId);
    const isIndexed = (['title', 'givenLanguage'] as const).some(
      (field) => details[field] !== undefined && details[field] !== before[field],
    );
    await this.db.$transaction(async (tx) => {
      await tx.knowledgeSource.updateMany({
        where: { id: sourceId, tenantId },
        data: {
          ...details,
          reference: JSON.parse(
            toJsonb(changedReference(before, details, reference)),
          ) as Prisma.InputJsonObject,
          changedAt: new Date(),
        },
      });
      if (isIndexed) await queue(tx, Prisma.sql`id = ${sourceId} AND tenant_id = ${tenantId}`);
    });
    return this.require(tenantId, collectionId, sourceId);
  }

  /** Returns chunks in the order of the text, after the given position. */
  chunks(
    tenantId: string,
    sourceId: string,
    { take, after }: PageRequest<ChunkPlace>,
  ): Promise<KnowledgeChunk[]> {
    return this.db.knowledgeChunk.findMany({
      where: { tenantId, sourceId, ...(after && { startAt: { gt: after.startAt } }) },
      orderBy: { startAt: 'asc' },
      take,
    });
  }

  /** Counts the sources that `reindex` would queue. */
  countIndexed(tenantId: string, collectionIds: string[] | undefined): Promise<number> {
    return this.db.knowledgeSource.count({
      where: {
        tenantId,
        state: { in: ['ready', 'failed'] },
        ...(collectionIds && { collectionId: { in: collectionIds } }),
      },
    });
  }

  /** Queues a source for indexing; its old index stays in service until the new one is complete. */
  async reindexSource(tenantId: string, sourceId: string): Promise<void> {
    await this.db.$transaction((tx) => queue(tx, Prisma.sql`id = ${sourceId} AND tenant_id = ${tenantId}`));
  }

  /**
   * Queues the sources of collections, or all of the tenant's, for indexing; their old index stays in service
   * until the new one is complete.
   *
   * @returns the number of sources
   */
  reindex(tenantId: string, collectionIds: string[] | undefined): Promise<number> {
    const within = collectionIds ? Prisma.sql`AND collection_id = ANY(${collectionIds})` : Prisma.empty;
    return this.db.$transaction((tx) =>
      queue(tx, Prisma.sql`tenant_id = ${tenantId} AND state IN ('ready', 'failed') ${within}`),
    );
  }

  /** Deletes a source with its text, chunks, vectors and bytes. @throws ProblemError `not_found` */
  async remove(store: ObjectStore, tenantId: string, collectionId: string, sourceId: string): Promise<void> {
    let prefixes: string[] = [];
    await this.db.$transaction(async (tx) => {
      await lockCollection(tx, collectionId);
      const places = await tx.$queryRaw<{ segmentId: bigint; ordinal: number }[]>`
          /* delete passages of source */ DELETE FROM knowledge_chunks
          WHERE source_id = ${sourceId} AND collection_id = ${collectionId} AND tenant_id = ${tenantId}
          RETURNING segment_id AS "segmentId", ordinal`;
      await markDeleted(tx, places);
      const [source] = await tx.$queryRaw<Keys[]>`
          /* delete source */ DELETE FROM knowledge_sources
          WHERE id = ${sourceId} AND collection_id = ${collectionId} AND tenant_id = ${tenantId}
          RETURNING object_key AS "objectKey", text_key AS "textKey"`;
      prefixes = foldersOf(found(source ?? null));
      await tx.purge.createMany({ data: prefixes.map((prefix) => ({ prefix })), skipDuplicates: true });
      await tx.$executeRaw`SELECT pg_notify(${SOURCES_CHANNEL}, '')`;
    }, LOCK_TIMEOUTS);
    for (const prefix of prefixes) await store.deletePrefix(prefix);
  }
}

type Keys = Pick<KnowledgeSource, 'objectKey' | 'textKey'>;

/** Returns the folders of the current content and of the previous one, which may still be in service. */
const foldersOf = ({ objectKey, textKey }: Keys) => [
  ...new Set([objectKey, ...(textKey === null ? [] : [textKey])].map(contentFolder)),
];

function found<Row>(source: Row | null): Row {
  if (!source) throw new ProblemError('not_found', phrase('not_found.source'));
  return source;
}

/** Queues sources. The new epoch ends the lease of a worker that is indexing the old content. */
async function queue(tx: Transaction, which: Prisma.Sql): Promise<number> {
  const count = await tx.$executeRaw`
    /* queue sources */ UPDATE knowledge_sources SET state = 'queued', problem = NULL, problem_phrase = NULL, attempts = 0, next_at = now(), lease_until = NULL,
      epoch = epoch + 1, changed_at = now() WHERE ${which}`;
  await tx.$executeRaw`SELECT pg_notify(${SOURCES_CHANNEL}, '')`;
  return count;
}

async function addOne(
  tx: Transaction,
  tenantId: string,
  collectionId: string,
  source: NewSource,
): Promise<AddedSource> {
  const { id, name, sha256 } = source;
  const there = await tx.knowledgeSource.findMany({
    where: { collectionId, OR: [{ id }, { sha256 }, { name }] },
  });
  const [own, same] = [there.find((row) => row.id === id), there.find((row) => row.sha256 === sha256)];
  if (own && same && same.id !== own.id)
    throw new ProblemError('invalid_request', phrase('invalid_request.same_content', { name: same.name }));
  // Adding a failed source again retries it.
  if (same && same.state !== 'failed') return { source: same, outcome: 'unchanged' };
  const before = own ?? same ?? there.find((row) => row.name === name);
  if (!before) {
    const created = await tx.knowledgeSource.create({ data: { ...source, tenantId, collectionId } });
    return { source: created, outcome: 'created' };
  }
  await dropUnread(tx, before);
  await tx.knowledgeSource.update({
    where: { id: before.id },
    data: { ...source, id: before.id, name: before.id === id ? name : before.name },
  });
  await queue(tx, Prisma.sql`id = ${before.id}`);
  const replaced = await tx.knowledgeSource.findFirst({ where: { id: before.id } });
  return { source: found(replaced), outcome: 'replaced' };
}

/**
 * Deletes the bytes of content that was never in service. The live content is deleted when the new one
 * replaces it.
 */
async function dropUnread(tx: Transaction, { objectKey, textKey }: KnowledgeSource): Promise<void> {
  if (textKey !== null && contentFolder(textKey) === contentFolder(objectKey)) return;
  await tx.purge.createMany({ data: [{ prefix: contentFolder(objectKey) }], skipDuplicates: true });
}

/**
 * Locks a collection until the transaction ends, so that its live segments change one at a time.
 *
 * @returns false if the collection no longer exists
 */
export async function lockCollection(
  tx: Pick<DatabaseOrTransaction, '$queryRaw'>,
  collectionId: string,
): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`
    /* lock collection */ SELECT 1 FROM knowledge_collections WHERE id = ${collectionId} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Like `lockCollection`, but returns false immediately while another process has the lock. */
export async function tryLockCollection(
  tx: Pick<DatabaseOrTransaction, '$queryRaw'>,
  collectionId: string,
): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`
    /* try to lock collection */ SELECT 1 FROM knowledge_collections WHERE id = ${collectionId} FOR NO KEY UPDATE SKIP LOCKED`;
  return rows.length > 0;
}
