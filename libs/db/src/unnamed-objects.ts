import type { Database, Prisma } from './client.js';
import { LOCK_PATIENCE, lockTenant } from './lock-tenant.js';

/**
 * The objects that no row names. For who was told of an error while adding rows: the addition may have been committed all the same; it has
 * ended one way or the other when this answers. None while the database cannot say: bytes too many are better than a row without.
 *
 * @param named reads the rows of the tenant that name one of these keys
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
    }, LOCK_PATIENCE);
    const keys = new Set(rows.map(({ objectKey }) => objectKey));
    return objects.filter(({ objectKey }) => !keys.has(objectKey));
  } catch {
    return [];
  }
}
