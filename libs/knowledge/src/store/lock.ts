import type { DatabaseOrTransaction } from '#db/client.js';

/**
 * Lets changes of a collection's live segments happen one after the other, until the transaction ends.
 *
 * @returns false when the collection is gone
 */
export async function lockCollection(
  tx: Pick<DatabaseOrTransaction, '$queryRaw'>,
  collectionId: string,
): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`
    /* lock collection */ SELECT 1 FROM knowledge_collections WHERE id = ${collectionId} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** As `lockCollection`, but false at once while another process holds it. */
export async function tryLockCollection(
  tx: Pick<DatabaseOrTransaction, '$queryRaw'>,
  collectionId: string,
): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`
    /* try to lock collection */ SELECT 1 FROM knowledge_collections WHERE id = ${collectionId} FOR NO KEY UPDATE SKIP LOCKED`;
  return rows.length > 0;
}
