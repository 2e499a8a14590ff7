import { AsyncLocalStorage } from 'node:async_hooks';

/** Entry of the audit log about a request, until it is written. */
export interface PendingAudit {
  readonly actor: string;
  readonly byToken: boolean;
  /** Operation of the API. */
  readonly action: string;
  readonly requestId: string;
  /** Whether the statement that performed the request has written it. */
  isWritten: boolean;
}

/** Tenant of the current work, null for work of the service, and what is known of the request that caused it. */
interface Scope {
  tenantId: string | null;
  apiKeyId: string | null;
  audit: PendingAudit | null;
}

const scope = new AsyncLocalStorage<Scope>();

/** The server makes all IDs; reject other text, because the ID becomes part of a database setting. */
const TENANT_ID = /^[A-Za-z0-9_-]{1,64}$/;

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | undefined)?.then === 'function';

/** Prisma's promises start when they are awaited; resolve here to start them within the scope. */
function runWithin<T>(
  tenantId: string | null,
  work: () => T,
  apiKeyId = currentKey(),
  audit = pendingAudit(),
): T {
  return scope.run({ tenantId, apiKeyId, audit }, () => {
    const result = work();
    return isThenable(result) ? (Promise.resolve(result) as T) : result;
  });
}

/**
 * Runs work, and everything that it awaits, as one tenant: its statements read and change only rows of this
 * tenant, regardless of their `WHERE` (row-level security).
 *
 * @param apiKeyId key of the caller; by default, that of the surrounding work
 * @param audit entry about the request; by default, that of the surrounding work
 * @throws Error if the ID is malformed
 */
export function asTenant<T>(
  tenantId: string,
  work: () => T,
  apiKeyId?: string,
  audit?: PendingAudit | null,
): T {
  if (!TENANT_ID.test(tenantId)) throw new Error('not the id of a tenant');
  return runWithin(tenantId, work, apiKeyId, audit);
}

/**
 * Runs work of the service itself, such as the dispatcher and shared timers, without binding it to the
 * caller's tenant.
 */
export function asService<T>(work: () => T): T {
  return runWithin(null, work);
}

/**
 * Runs work of the service that outlives the request that begins it, such as rounds of a timer, without anything of that
 * request.
 */
export function asServiceApart<T>(work: () => T): T {
  return scope.exit(() => asService(work));
}

/** Returns the tenant of the current work; null for work of the service. */
export function currentTenant(): string | null {
  return scope.getStore()?.tenantId ?? null;
}

/** Returns the API key of the request that caused the current work; null for work without a request. */
export function currentKey(): string | null {
  return scope.getStore()?.apiKeyId ?? null;
}

/** Returns the entry of the audit log about the request that caused the current work, if it has to be written. */
export function pendingAudit(): PendingAudit | null {
  return scope.getStore()?.audit ?? null;
}
