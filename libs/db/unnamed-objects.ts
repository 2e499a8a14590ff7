import type { Database, Prisma } from './client.js';
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
