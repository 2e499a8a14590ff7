import type { Database } from '#db/client.js';
import type { JobQueues } from './queue/job-queues.js';
import type { KnownKinds } from './kind.js';

export interface EngineLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Dependencies of every part of the engine. */
export interface Engine {
  db: Database;
  queues: JobQueues;
  log: EngineLogger;
  /** The kinds of run in this release, without their graphs. */
  kinds: KnownKinds;
}

/** Duration of a run's lease in seconds; it is renewed at a third of that interval. */
export const LEASE_SECONDS = 10;
/** Crashes without progress after which a run fails. */
export const MAX_CRASHES = 8;
/** Runners whose event loop a run may block without progress; at this number it fails. */
export const MAX_BLOCKED = 2;

/**
 * Awaits work after a commit whose failure changes nothing but the time: the reconciler finds what the commit left open
 * and does the work again.
 */
export const leftToReconciler = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);
