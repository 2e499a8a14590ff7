/** When a delivery is tried again, and when it is given up. */
export interface RetryPolicy {
  /** Seconds after the first, second … failed attempt; after the last one there is no further attempt. */
  delaySeconds: readonly number[];
  /** Seconds that one attempt may take. */
  timeoutSeconds: number;
}

/** Eight attempts over about 16 hours. */
export const RETRY_POLICY: RetryPolicy = {
  delaySeconds: [5, 30, 300, 1_800, 7_200, 18_000, 28_800],
  timeoutSeconds: 10,
};

/** Up to this share is added to a delay or taken from it, so that many deliveries do not come back together. */
const JITTER = 0.2;

/** Seconds until the next attempt after so many failed ones; null when there is none. */
export function retryDelay(
  { delaySeconds }: RetryPolicy,
  attempts: number,
  random = Math.random(),
): number | null {
  const delay = delaySeconds[attempts - 1];
  return delay === undefined ? null : delay * (1 + JITTER * (2 * random - 1));
}
