import type { Finding } from './findings.js';

/** Runs of the harness that last at least so long must have come to every commit point. */
const LONG_RUN_MS = 300_000;
/** Within this time runs come to a commit point that they pass at all. */
const ENOUGH_MS = 60_000;

/** Commit points that are passed only when several things come together: that nobody came there is no finding. */
export const PASSED_BY_CHANCE: Readonly<Record<string, string>> = {
  'take dispatch back': 'a run is started while the queue refuses jobs and PostgreSQL takes statements',
  'release request': 'a request with an Idempotency-Key breaks off while PostgreSQL takes statements',
  'renew request': 'a request with an Idempotency-Key takes longer than 15 seconds',
  'renew task': 'a task takes longer than a third of its lease',
  'suspect tasks': 'a worker dies after it has taken a job and before it begins the task',
  'end attempt': 'a task fails while PostgreSQL takes statements',
};

/** Of the commit points that the work passes, those at which no process died or slept. */
export function notReached(points: readonly string[], fired: Record<string, number>): string[] {
  return points.filter((point) => !(point in fired));
}

/**
 * Commit points to which no process came although a signal waited there: either the harness no longer aims well, or the
 * product no longer does there what it did.
 *
 * @param dealt when a signal was first put at each point, in milliseconds
 * @param from when the first fault was injected
 * @param end when the last fault was over
 */
export function missed(
  unreached: readonly string[],
  dealt: ReadonlyMap<string, number>,
  from: number,
  end: number,
): Finding[] {
  if (end - from < LONG_RUN_MS) return [];
  return unreached
    .filter((point) => !(point in PASSED_BY_CHANCE) && (dealt.get(point) ?? Infinity) < end - ENOUGH_MS)
    .map((point) => ({
      kind: 'not reached',
      runId: null,
      what: `no process came to the commit point ${point}, where a signal waited for it`,
    }));
}
