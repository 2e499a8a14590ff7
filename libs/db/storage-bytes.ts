import type { DatabaseOrTransaction } from './client.js';

/**
 * Returns the bytes of a tenant's uploads, knowledge sources, exports and running copies; a file with several
 * names counts once.
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
           + (SELECT coalesce(sum(bytes), 0) FROM session_copies WHERE tenant_id = ${tenantId})::bigint AS bytes`;
  return row!.bytes;
}
