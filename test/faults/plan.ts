import type { Chance } from './random.js';

/** Actions of a client on one run. */
export interface Plan {
  /** Answers sent at the same time to each decision. */
  answers: readonly string[];
  /** Number of concurrent requests that start the run, with one `Idempotency-Key`. */
  starts: number;
  /** Whether an incomplete upload precedes the complete one. */
  cutsUpload: boolean;
  /** Cancels the run after this many milliseconds. */
  cancelAfterMs: number | null;
}

/** Possible answers of a client about the missing image. */
export const ANSWERS = ['skip', 'use:dashboard.png'] as const;

export const QUIET: Plan = { answers: [ANSWERS[0]], starts: 1, cutsUpload: false, cancelAfterMs: null };

/** One in this many runs is answered and started fifty times at once, has its first upload cut, or is cancelled. */
const ONE_IN = { storm: 8, cut: 6, cancel: 12 };
const STORM = 50;
const COPIES = 4;
const MAX_CANCEL_DELAY_MS = 4_000;

export function planOf(chance: Chance): Plan {
  const oneIn = (count: number) => chance.next() < 1 / count;
  const copies = oneIn(ONE_IN.storm) ? STORM : COPIES;
  return {
    answers: Array.from({ length: copies }, (_, index) => ANSWERS[index % ANSWERS.length]!),
    starts: oneIn(ONE_IN.storm) ? STORM : 1,
    cutsUpload: oneIn(ONE_IN.cut),
    cancelAfterMs: oneIn(ONE_IN.cancel) ? chance.between(0, MAX_CANCEL_DELAY_MS) : null,
  };
}
