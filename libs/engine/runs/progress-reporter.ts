import { toJsonb } from '#db/jsonb.js';
import type { Engine } from '../engine.js';
import { heldAt } from './event-log.js';
import type { GraphDefinition, GraphState, HeldRun } from '../kind.js';

/** Interval in ms at which a leg stores its progress. */
const NOTE_MS = 1_000;

/** Reporter of a leg's progress. */
interface ProgressNotes {
  /** Receives the state after each step; only the latest is stored. */
  reached(state: GraphState): void;
  /** Stops the reporter; resolves when no write is pending. */
  stop(): Promise<void>;
}

/**
 * Stores run progress every second for polling clients (B5, B6). A leg that pauses or ends sooner stores it
 * then. A failed write is only logged: the run does not depend on it (B11).
 */
export function startProgressReporter(
  { db, log }: Engine,
  { id, fence }: HeldRun,
  { describe }: Pick<GraphDefinition, 'describe'>,
): ProgressNotes {
  let latest: GraphState | null = null;
  let underWay = Promise.resolve();
  const storeProgress = async (state: GraphState) => {
    const summary = toJsonb(describe(state));
    await db.$executeRaw`
      /* note progress */ UPDATE runs SET summary = ${summary}::jsonb WHERE id = ${id} AND ${heldAt(fence.epoch)}`;
  };
  const timer = setInterval(() => {
    const state = latest;
    if (state === null) return;
    latest = null;
    underWay = underWay
      .then(() => storeProgress(state))
      .catch((err: unknown) => log.warn({ run_id: id, err }, 'failed to store run progress'));
  }, NOTE_MS);
  return {
    reached: (state) => {
      latest = state;
    },
    stop: () => {
      clearInterval(timer);
      return underWay;
    },
  };
}
