/**
 * Prisma's codes: server unreachable or connection lost (P1…), no free connection, write conflict or
 * deadlock.
 */
const PRISMA_CODES = /^(P1\d{3}|P2024|P2028|P2034)$/;
/** SQLSTATEs: connection, resources, operator intervention, system error, rollback by the server. */
const SQL_STATES = /^(08|53|57|58)[0-9A-Z]{3}$|^(40001|40P01)$/;
/** Failed connections, a full disk, an unavailable object store or queue. */
const SYSTEM_CODES =
  /^(storage_unavailable|queue_unavailable|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOSPC|EDQUOT)$/;
const ADAPTER_KINDS =
  /^(ConnectionClosed|DatabaseNotReachable|SocketTimeout|TooManyConnections|TransactionWriteConflict)$/;
const MESSAGES =
  /terminating connection|Connection terminated|Connection ended|server closed the connection|is not queryable/i;
const DEPTH = 6;

/**
 * Returns whether an error comes from an unavailable or full database, queue, object store or disk. Such an
 * error does not come from the step, so it does not count towards `MAX_CRASHES`.
 */
export function isOutage(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < DEPTH && typeof current === 'object' && current !== null; depth++) {
    const { code, originalCode, kind, message, cause, meta } = current as Record<string, unknown>;
    const codes = [code, originalCode].filter((value) => typeof value === 'string');
    if (codes.some((value) => PRISMA_CODES.test(value) || SQL_STATES.test(value) || SYSTEM_CODES.test(value)))
      return true;
    if (typeof kind === 'string' && ADAPTER_KINDS.test(kind)) return true;
    if (typeof message === 'string' && MESSAGES.test(message)) return true;
    current = cause ?? (meta as Record<string, unknown> | undefined)?.['driverAdapterError'];
  }
  return false;
}
