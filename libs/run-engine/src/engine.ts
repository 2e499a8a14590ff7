import type { Database } from '#db/client.js';
import type { JobQueues } from '#queue/job-queues.js';
import type { KnownKinds } from './kind.js';

/** The part of a logger that the engine uses. */
export interface EngineLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What every part of the engine works with. */
export interface Engine {
  db: Database;
  queues: JobQueues;
  log: EngineLogger;
  /** What the kinds of run of this release do beyond their graphs. */
  kinds: KnownKinds;
}

/** Seconds a runner holds a run without a sign of life; renewed three times as often. */
export const LEASE_SECONDS = 10;
/** Times a run may be taken over without progress before it fails: its step kills every runner. */
export const MAX_CRASHES = 8;
