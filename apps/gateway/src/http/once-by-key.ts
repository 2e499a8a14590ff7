import { ProblemError } from '#contracts/errors.js';
import type { Database } from '#db/client.js';
import { admit, giveUp, keepAdmitted, type Admission, type KeyedRequest } from '#run-engine/idempotency.js';

/** The request is being done elsewhere, or another attempt has taken it over. */
export const underWay = () =>
  new ProblemError('idempotency_under_way', 'Wait a moment and send the request again.');

interface Once<T> {
  /** What was kept of the first request, as the answer. */
  repeat(kept: Extract<Admission, { kind: 'repeat' }>): T;
  /** Does the request and settles it; ids of what it makes are derived from the seed. */
  work(admitted: Extract<Admission, { kind: 'do' }>): Promise<T>;
}

/**
 * Does a request with a key once, however long it takes; one that fails gives its key up.
 *
 * @throws ProblemError `idempotency_key_reused`, `idempotency_under_way`; what `work` throws
 */
export async function onceByKey<T>(
  db: Database,
  request: KeyedRequest,
  { repeat, work }: Once<T>,
): Promise<T> {
  const admission = await admit(db, request);
  switch (admission.kind) {
    case 'other_request':
      throw new ProblemError('idempotency_key_reused', 'Use a new key for another request.');
    case 'under_way':
      throw underWay();
    case 'repeat':
      return repeat(admission);
  }
  const lease = keepAdmitted(db, request, admission.attempt);
  try {
    return await work(admission);
  } catch (error) {
    await giveUp(db, request, admission.attempt).catch(() => undefined);
    throw error;
  } finally {
    lease.stop();
  }
}
