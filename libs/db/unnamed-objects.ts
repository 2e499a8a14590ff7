import type { Database, Prisma, DatabaseOrTransaction } from './client.js';
import { LOCK_TIMEOUTS, lockTenant } from './lock-tenant.js';

/**
 * Returns the objects that no row refers to. Call it after an error while adding rows, because the insert may
 * have been committed anyway; locking the tenant waits until it has ended. Returns none if the database
 * fails: orphaned bytes are better than a row without an object.
 *
 * @param named reads the tenant's rows that refer to any of these keys
 */
export async function unnamedObjects<T extends { objectKey: string }>(
  db: Pick<Database, '$transaction'>,
  tenantId: string,
  objects: T[],
  named: (tx: Prisma.TransactionClient, keys: string[]) => Promise<{ objectKey: string }[]>,
): Promise<T[]> {
  try {
    const rows = await db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      return named(
        tx,
        objects.map(({ objectKey }) => objectKey),
      );
    }, LOCK_TIMEOUTS);
    const keys = new Set(rows.map(({ objectKey }) => objectKey));
    return objects.filter(({ objectKey }) => !keys.has(objectKey));
  } catch {
    return [];
  }
}

/**
 * Returns the bytes of a tenant's uploads, knowledge sources, exports, Word templates and running copies; a file with several
 * names counts once. Texts that runs write do not count, nor do their copies for reviews: manuscripts, results, chapters
 * and the texts of exports are limited by the runs that write them, and the sweep removes those that no row refers to.
 */
export async function storageBytes(
  db: Pick<DatabaseOrTransaction, '$queryRaw'>,
  tenantId: string,
): Promise<bigint> {
  const [row] = await db.$queryRaw<{ bytes: bigint }[]>`
    SELECT (SELECT coalesce(sum(size), 0) FROM (
              SELECT max(size) AS size FROM session_files WHERE tenant_id = ${tenantId} GROUP BY object_key) f)::bigint
           + (SELECT coalesce(sum(size), 0) FROM exports WHERE tenant_id = ${tenantId})::bigint
           + (SELECT coalesce(sum(size), 0) FROM knowledge_sources WHERE tenant_id = ${tenantId})::bigint
           + (SELECT coalesce(sum(size), 0) FROM word_templates WHERE tenant_id = ${tenantId})::bigint
           + (SELECT coalesce(sum(bytes), 0) FROM session_copies WHERE tenant_id = ${tenantId})::bigint AS bytes`;
  return row!.bytes;
}
