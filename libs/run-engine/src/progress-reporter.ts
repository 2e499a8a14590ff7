import { toJsonb } from '#db/jsonb.js';
import type { Engine } from './engine.js';
import { heldAt } from './event-log.js';
import type { GraphDefinition, GraphState, HeldRun } from './kind.js';

/** Milliseconds after which a leg that goes on tells how far it is, and again each time. */
const NOTE_MS = 1_000;

/** Tells how far a leg is. */
export interface ProgressNotes {
  /** The state after each step; kept until it is time for a note. */
  reached(state: GraphState): void;
  /** Resolves when no note is under way any more. */
  stop(): Promise<void>;
}

/**
 * Notes how far a run is while a leg goes on, so that who polls sees it (B5, B6). A leg that pauses or ends sooner tells it then. A note that
 * fails is logged and no more: the run does not depend on it (B11).
 */
export function startProgressReporter(
  { db, log }: Engine,
  { id, fence }: HeldRun,
  { describe }: Pick<GraphDefinition, 'describe'>,
): ProgressNotes {
  let latest: GraphState | null = null;
  let underWay = Promise.resolve();
  const note = async (state: GraphState) => {
    const summary = toJsonb(describe(state));
    await db.$executeRaw`
      /* note progress */ UPDATE runs SET summary = ${summary}::jsonb WHERE id = ${id} AND ${heldAt(fence.epoch)}`;
  };
  const timer = setInterval(() => {
    const state = latest;
    if (state === null) return;
    latest = null;
    underWay = underWay
      .then(() => note(state))
      .catch((err: unknown) => log.warn({ run_id: id, err }, 'how far the run is could not be noted'));
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
