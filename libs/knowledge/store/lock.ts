import type { DatabaseOrTransaction } from '#db/client.js';

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
