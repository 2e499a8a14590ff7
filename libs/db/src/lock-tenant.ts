import type { DatabaseOrTransaction } from './client.js';

/** For transactions in which uploads of one tenant wait for each other, in milliseconds. */
export const LOCK_PATIENCE = { timeout: 60_000, maxWait: 60_000 };

/** Makes what has to keep within a limit of the tenant happen one after the other, until the transaction ends. */
export async function lockTenant(
  tx: Pick<DatabaseOrTransaction, '$queryRaw'>,
  tenantId: string,
): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
}
