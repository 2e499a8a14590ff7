import type { Database } from '#db/client.js';
import type { ObjectStore } from '#storage/object-store.js';

/** Prepares the deletion of a session; returns what removes the rest after the session is gone. */
export type SessionDeletionHook = (
  db: Database,
  store: ObjectStore,
  tenantId: string,
  sessionId: string,
) => Promise<() => Promise<void>>;

/** Injection token for the hooks of all features. */
export const SESSION_DELETION_HOOKS = Symbol('SESSION_DELETION_HOOKS');
