import type { DatabaseOrTransaction } from './client.js';

/** Timeouts in ms of transactions in which uploads of one tenant wait for each other. */
export const LOCK_TIMEOUTS = { timeout: 60_000, maxWait: 60_000 };

/** Locks a tenant until the transaction ends, so that checks of its limits run one at a time. */
export async function lockTenant(
  tx: Pick<DatabaseOrTransaction, '$queryRaw'>,
  tenantId: string,
): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
}
