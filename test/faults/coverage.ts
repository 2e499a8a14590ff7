import type { Finding } from './findings.js';

/** Harness runs of at least this duration must have reached every commit point. */
const LONG_RUN_MS = 300_000;
/** Time in which runs reach every commit point that they can reach. */
const MIN_COVERAGE_MS = 60_000;

/** Commit points that need a combination of events; not reaching them is not a finding. */
export const PASSED_BY_CHANCE: Readonly<Record<string, string>> = {
  'take dispatch back': 'a run is started while the queue refuses jobs and PostgreSQL takes statements',
  'release request': 'a request with an Idempotency-Key breaks off while PostgreSQL takes statements',
  'renew request': 'a request with an Idempotency-Key takes longer than 15 seconds',
  'renew task': 'a task takes longer than a third of its lease',
  'suspect tasks': 'a worker dies after it has taken a job and before it begins the task',
  'end attempt': 'a task fails while PostgreSQL takes statements',
};

/** Returns the commit points of the work at which no process died or slept. */
export function notReached(points: readonly string[], fired: Record<string, number>): string[] {
  return points.filter((point) => !(point in fired));
}

/**
 * Returns commit points that no process reached although a signal waited there: either the harness no longer aims at
 * them, or the product changed.
 *
 * @param dealt when a signal was first set at each point, in milliseconds
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
    .filter((point) => !(point in PASSED_BY_CHANCE) && (dealt.get(point) ?? Infinity) < end - MIN_COVERAGE_MS)
    .map((point) => ({
      kind: 'not reached',
      runId: null,
      what: `no process came to the commit point ${point}, where a signal waited for it`,
    }));
}
