import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<string | null>();

/** Ids are made by the server; anything else has no place in a setting of the database. */
const TENANT_ID = /^[A-Za-z0-9_-]{1,64}$/;

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | undefined)?.then === 'function';

/** Prisma's promises begin when somebody waits for them, which has to be here. */
function runWithin<T>(tenantId: string | null, work: () => T): T {
  return scope.run(tenantId, () => {
    const result = work();
    return isThenable(result) ? (Promise.resolve(result) as T) : result;
  });
}

/**
 * Runs work, and all that it awaits, as one tenant: every statement it sends to the database sees and changes this
 * tenant's rows alone, whatever its `WHERE` says (row-level security).
 *
 * @throws Error for what is no tenant id
 */
export function asTenant<T>(tenantId: string, work: () => T): T {
  if (!TENANT_ID.test(tenantId)) throw new Error('not the id of a tenant');
  return runWithin(tenantId, work);
}

/** Runs work of the service itself, which is not bound to a tenant, whoever caused it: the dispatcher, shared timers. */
export function asService<T>(work: () => T): T {
  return runWithin(null, work);
}

/** The tenant that the current work is bound to; null for the service's own. */
export function currentTenant(): string | null {
  return scope.getStore() ?? null;
}
