/** Schedule of a delivery's attempts. */
export interface RetryPolicy {
  /** Seconds to wait after the first, second … failed attempt. The attempt after the last delay is the final one. */
  delaySeconds: readonly number[];
  /** Time limit of one attempt, in seconds. */
  timeoutSeconds: number;
}

/** Eight attempts over about 16 hours. */
export const RETRY_POLICY: RetryPolicy = {
  delaySeconds: [5, 30, 300, 1_800, 7_200, 18_000, 28_800],
  timeoutSeconds: 10,
};

/**
 * Random share by which a delay varies in either direction, so that many deliveries do not retry at the same
 * moment.
 */
const JITTER = 0.2;

/** Returns the seconds until the next attempt, given the number of failed ones; null after the last. */
export function retryDelay(
  { delaySeconds }: RetryPolicy,
  attempts: number,
  random = Math.random(),
): number | null {
  const delay = delaySeconds[attempts - 1];
  return delay === undefined ? null : delay * (1 + JITTER * (2 * random - 1));
}
