import { joinPhrases, phrase, type Phrase } from '#contracts/phrases/phrase.js';

/** Texts for known failures of PostgreSQL by SQLSTATE or its class, and of Node for strings that it cannot build. */
const CAUSES: readonly (readonly [pattern: RegExp, text: Phrase])[] = [
  [/^(?:54[0-9A-Z]{3}|ERR_STRING_TOO_LONG)$/, phrase('database_cause.too_large')],
  [/^(?:53100|ENOSPC|EDQUOT)$/, phrase('database_cause.disk_full')],
  [/^53200$/, phrase('database_cause.out_of_memory')],
  [/^53300$/, phrase('database_cause.too_many_connections')],
  [/^22[0-9A-Z]{3}$/, phrase('database_cause.invalid_value')],
  [/^23[0-9A-Z]{3}$/, phrase('database_cause.conflict')],
];
/** PostgreSQL reports a value of more than 1 GB as an internal error. */
const TOO_LARGE = /^invalid memory alloc request size/;

/** Returns the known cause of a database error, without its statement or values; null for other errors. */
export function databaseCause(error: unknown): Phrase | null {
  for (const { codes, message } of causesOf(error)) {
    const known = CAUSES.find(([pattern]) => codes.some((code) => pattern.test(code)));
    if (known) return known[1];
    if (typeof message === 'string' && TOO_LARGE.test(message)) return phrase('database_cause.too_large');
  }
  return null;
}

/** Returns the text of a failure, with the known cause of the database error that led to it. */
export function withDatabaseCause(failure: Phrase, error: unknown): Phrase {
  const cause = databaseCause(error);
  return cause === null ? failure : joinPhrases('sentences', [failure, cause]);
}

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

/** What is known of an error or of one of its causes. */
interface Cause {
  /** Codes of the error: of Prisma, PostgreSQL (SQLSTATE) or the system. */
  codes: string[];
  kind: unknown;
  message: unknown;
}

/** Returns an error and its causes, outermost first; Prisma stores the database's error in `meta`. */
export function causesOf(error: unknown): Cause[] {
  const causes: Cause[] = [];
  let current = error;
  while (causes.length < DEPTH && typeof current === 'object' && current !== null) {
    const { code, originalCode, kind, message, cause, meta } = current as Record<string, unknown>;
    const codes = [code, originalCode].filter((value) => typeof value === 'string');
    causes.push({ codes, kind, message });
    current = cause ?? (meta as Record<string, unknown> | undefined)?.['driverAdapterError'];
  }
  return causes;
}

/** How often a transaction is tried. */
const ATTEMPTS = 5;

/**
 * Runs a transaction, and again if PostgreSQL undid it because it and another one waited for each other, as a deletion may
 * with the indexing of what is deleted.
 */
export async function despiteDeadlocks<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === ATTEMPTS || !isDeadlock(error)) throw error;
    }
  }
}

const isDeadlock = (error: unknown): boolean =>
  causesOf(error).some(
    ({ codes, kind }) =>
      codes.includes('P2034') || codes.includes('40P01') || kind === 'TransactionWriteConflict',
  );

/**
 * Returns whether an error comes from an unavailable or full database, queue, object store or disk. Such an
 * error does not come from the step, so it does not count towards `MAX_CRASHES`.
 */
export function isOutage(error: unknown): boolean {
  return causesOf(error).some(
    ({ codes, kind, message }) =>
      codes.some((code) => PRISMA_CODES.test(code) || SQL_STATES.test(code) || SYSTEM_CODES.test(code)) ||
      (typeof kind === 'string' && ADAPTER_KINDS.test(kind)) ||
      (typeof message === 'string' && MESSAGES.test(message)),
  );
}
