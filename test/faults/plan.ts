import type { Chance } from './random.js';

/** What a client does with one run. */
export interface Plan {
  /** Sent all at once to each decision. */
  answers: readonly string[];
  /** How often the request that starts the run is sent at once, under one `Idempotency-Key`. */
  starts: number;
  /** An upload that breaks off half-way comes before the right one. */
  cutsUpload: boolean;
  /** Cancels the run after so many milliseconds. */
  cancelAfterMs: number | null;
}

/** The answers a client can give about the missing image. */
export const ANSWERS = ['skip', 'use:dashboard.png'] as const;

export const QUIET: Plan = { answers: [ANSWERS[0]], starts: 1, cutsUpload: false, cancelAfterMs: null };

/** One run in so many is answered and started fifty times at once, has its first upload cut, or is cancelled. */
const ONE_IN = { storm: 8, cut: 6, cancel: 12 };
const STORM = 50;
const COPIES = 4;
const LATEST_CANCEL_MS = 4_000;

export function planOf(chance: Chance): Plan {
  const oneIn = (count: number) => chance.next() < 1 / count;
  const copies = oneIn(ONE_IN.storm) ? STORM : COPIES;
  return {
    answers: Array.from({ length: copies }, (_, index) => ANSWERS[index % ANSWERS.length]!),
    starts: oneIn(ONE_IN.storm) ? STORM : 1,
    cutsUpload: oneIn(ONE_IN.cut),
    cancelAfterMs: oneIn(ONE_IN.cancel) ? chance.between(0, LATEST_CANCEL_MS) : null,
  };
}
