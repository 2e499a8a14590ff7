import { phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { Prisma, type Database, type DatabaseOrTransaction } from '#db/client.js';

/** Duration of a lease in seconds; workers renew it. */
const LEASE_SECONDS = 30;
/** Maximum number of attempts at a source if its indexing throws unknown errors or ends the process. */
export const MAX_ATTEMPTS = 8;
/** Maximum number of small texts that are indexed together, and their maximum size. */
const BATCH = 32;
const SMALL_BYTES = 32_768;

/** A source that this process has leased: its writes apply only while the row has this epoch. */
export interface ClaimedSource {
  id: string;
  number: number;
  tenantId: string;
  collectionId: string;
  name: string;
  title: string | null;
  givenLanguage: string | null;
  objectKey: string;
  textKey: string | null;
  epoch: number;
  attempts: number;
}

/** The lease is lost: another worker has claimed the source, or its content was replaced or deleted. */
export class SourceLostError extends Error {
  override readonly name = 'SourceLostError';
}

const CLAIMED = Prisma.sql`id, number, tenant_id AS "tenantId", collection_id AS "collectionId", name, title,
  given_language AS "givenLanguage", object_key AS "objectKey", text_key AS "textKey", epoch, attempts`;
const TAKE = Prisma.sql`UPDATE knowledge_sources SET epoch = epoch + 1, attempts = attempts + 1, state = 'indexing', changed_at = now(),
  lease_until = now() + make_interval(secs => ${LEASE_SECONDS})`;
const isDue = Prisma.sql`state IN ('queued', 'indexing') AND next_at <= now() AND (lease_until IS NULL OR lease_until < now())`;

/** True while the claim is valid; ends with the indexing, even if the worker continues with the collection. */
const isHeldStill = ({ id, epoch }: ClaimedSource) =>
  Prisma.sql`id = ${id} AND epoch = ${epoch} AND state = 'indexing'`;

/** Small texts, which are indexed together. A source that may have ended its worker is indexed alone. */
const isSmall = Prisma.sql`s.attempts = 0 AND s.size <= ${SMALL_BYTES} AND s.media_type LIKE 'text/%'`;

/**
 * Claims the next due source: the longest waiting of the tenants whose leased sources are the least work, by number
 * and MiB. If it is a small text, claims others of its collection with it.
 *
 * @returns sources of one collection; none if none is due
 */
export function claimNext(db: Database): Promise<ClaimedSource[]> {
  return db.$statement<ClaimedSource>(Prisma.sql`
    /* claim source */ WITH held AS (
      SELECT tenant_id, sum(1 + size / 1048576.0) AS work FROM knowledge_sources
      WHERE state IN ('queued', 'indexing') AND lease_until >= now() GROUP BY tenant_id
    ), next AS (
      SELECT s.id, s.collection_id, ${isSmall} AS small
      FROM knowledge_sources s LEFT JOIN held h ON h.tenant_id = s.tenant_id
      WHERE ${isDue} ORDER BY coalesce(h.work, 0), next_at LIMIT 1 FOR UPDATE OF s SKIP LOCKED
    ), others AS (
      SELECT s.id FROM knowledge_sources s JOIN next n ON n.small AND n.collection_id = s.collection_id AND n.id <> s.id
      WHERE ${isDue} AND ${isSmall} ORDER BY next_at LIMIT ${BATCH - 1} FOR UPDATE OF s SKIP LOCKED
    )
    ${TAKE} WHERE id IN (SELECT id FROM next UNION ALL SELECT id FROM others) RETURNING ${CLAIMED}`);
}

/** Claims one source, if it is due; otherwise returns null. */
export async function claimSource(db: Database, sourceId: string): Promise<ClaimedSource | null> {
  const [claimed] = await db.$statement<ClaimedSource>(Prisma.sql`
    /* claim source by id */ ${TAKE} WHERE id = ${sourceId} AND ${isDue} RETURNING ${CLAIMED}`);
  return claimed ?? null;
}

/** Locks the rows of sources until the transaction ends. @returns the IDs of those whose leases are valid */
export async function lockLeased(
  tx: DatabaseOrTransaction,
  sources: Pick<ClaimedSource, 'id' | 'epoch'>[],
): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    /* hold source */ SELECT s.id FROM knowledge_sources s
    JOIN unnest(${sources.map(({ id }) => id)}::text[], ${sources.map(({ epoch }) => epoch)}::int[]) AS h (id, epoch)
      ON s.id = h.id AND s.epoch = h.epoch
    ORDER BY s.id FOR NO KEY UPDATE OF s`;
  return new Set(rows.map(({ id }) => id));
}

/** Checks the lease and locks the row until the transaction ends. @throws SourceLostError */
export async function requireLeased(tx: DatabaseOrTransaction, source: ClaimedSource): Promise<void> {
  if ((await lockLeased(tx, [source])).size === 0)
    throw new SourceLostError('the lease of the source was lost');
}

/** Renews the leases of sources. @returns the number of those that are valid */
export function renewLeases(db: Database, sources: ClaimedSource[]): Promise<number> {
  return db.$executeRaw`
    /* renew lease of source */ UPDATE knowledge_sources SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE ${Prisma.join(
      sources.map((source) => Prisma.sql`(${isHeldStill(source)})`),
      ' OR ',
    )}`;
}

/** Sets both columns of a problem: its text, and its code and parameters. */
function columnsOf(problem: Detail): Prisma.Sql {
  const found = phraseOf(problem);
  return Prisma.sql`problem = ${textOf(problem)}, problem_phrase = ${found ? JSON.stringify(found) : null}::jsonb`;
}

/** Fails a source for a reason that another attempt cannot fix. */
export async function failSource(db: Database, source: ClaimedSource, problem: Detail): Promise<void> {
  await db.$executeRaw`
    /* fail source */ UPDATE knowledge_sources SET state = 'failed', ${columnsOf(problem)}, lease_until = NULL,
      changed_at = now() WHERE ${isHeldStill(source)}`;
}

/** Postpones a source that waits for something unavailable, and resets its attempts. */
export async function postponeSource(
  db: Database,
  source: ClaimedSource,
  problem: Detail,
  seconds: number,
): Promise<void> {
  await db.$executeRaw`
    /* let source wait */ UPDATE knowledge_sources SET lease_until = NULL, attempts = 0, ${columnsOf(problem)}, changed_at = now(),
      next_at = now() + make_interval(secs => ${seconds}) WHERE ${isHeldStill(source)}`;
}

/** Releases a source without counting the attempt, because this process ends. */
export async function releaseSource(db: Database, source: ClaimedSource): Promise<void> {
  await db.$executeRaw`
    /* give source back */ UPDATE knowledge_sources SET lease_until = NULL, attempts = greatest(0, attempts - 1)
    WHERE ${isHeldStill(source)}`;
}

/** Releases a source after an error. It is retried with growing delays until it has used up its attempts. */
export async function retryLater(db: Database, source: ClaimedSource): Promise<void> {
  if (source.attempts >= MAX_ATTEMPTS) return failSource(db, source, phrase('source_problem.not_indexed'));
  await db.$executeRaw`
    /* retry source */ UPDATE knowledge_sources SET lease_until = NULL, next_at = now() + make_interval(secs => ${2 ** source.attempts / 4})
    WHERE ${isHeldStill(source)}`;
}
