import { phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { Prisma, type Database, type DatabaseOrTransaction } from '#db/client.js';

/** Duration of a lease in seconds; workers renew it. */
const LEASE_SECONDS = 30;
/** Maximum number of attempts at a source if its indexing throws unknown errors or ends the process. */
export const MAX_ATTEMPTS = 8;

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

/**
 * Claims the next due source: the longest waiting of the tenants whose leased sources are the least work, by number
 * and MiB.
 *
 * @returns null if none is due
 */
export async function claimNext(db: Database): Promise<ClaimedSource | null> {
  const [claimed] = await db.$statement<ClaimedSource>(Prisma.sql`
    /* claim source */ WITH held AS (
      SELECT tenant_id, sum(1 + size / 1048576.0) AS work FROM knowledge_sources
      WHERE state IN ('queued', 'indexing') AND lease_until >= now() GROUP BY tenant_id
    )
    ${TAKE} WHERE id = (
      SELECT s.id FROM knowledge_sources s LEFT JOIN held h ON h.tenant_id = s.tenant_id
      WHERE ${isDue} ORDER BY coalesce(h.work, 0), next_at LIMIT 1 FOR UPDATE OF s SKIP LOCKED
    ) RETURNING ${CLAIMED}`);
  return claimed ?? null;
}

/** Claims one source, if it is due; otherwise returns null. */
export async function claimSource(db: Database, sourceId: string): Promise<ClaimedSource | null> {
  const [claimed] = await db.$statement<ClaimedSource>(Prisma.sql`
    /* claim source by id */ ${TAKE} WHERE id = ${sourceId} AND ${isDue} RETURNING ${CLAIMED}`);
  return claimed ?? null;
}

/** Checks the lease and locks the row until the transaction ends. @throws SourceLostError */
export async function requireLeased(
  tx: DatabaseOrTransaction,
  { id, epoch }: Pick<ClaimedSource, 'id' | 'epoch'>,
): Promise<void> {
  const rows = await tx.$queryRaw<object[]>`
    /* hold source */ SELECT 1 FROM knowledge_sources WHERE id = ${id} AND epoch = ${epoch} FOR NO KEY UPDATE`;
  if (rows.length === 0) throw new SourceLostError('the lease of the source was lost');
}

/** @returns false if the lease is lost */
export async function renewLease(db: Database, source: ClaimedSource): Promise<boolean> {
  const count = await db.$executeRaw`
    /* renew lease of source */ UPDATE knowledge_sources SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE ${isHeldStill(source)}`;
  return count === 1;
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
