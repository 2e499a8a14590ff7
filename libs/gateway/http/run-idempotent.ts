import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import {
  acquireKey,
  deleteRejectedKey,
  startKeyRenewal,
  release,
  type Admission,
  type KeyedRequest,
} from '#engine/runs/idempotency.js';
import { problemOf } from './problem.filter.js';

type Admitted = Extract<Admission, { kind: 'do' }>;

/** The request is being executed elsewhere, or another attempt has taken it over. */
export const requestInProgress = () =>
  new ProblemError('idempotency_under_way', phrase('idempotency_under_way.wait'));

interface Once<T> {
  /** Whether a repeat with the same seed finds the effects of the first attempt. */
  isRepeatable: boolean;
  /** Returns the stored response of the first request. */
  repeat(kept: Extract<Admission, { kind: 'repeat' }>): T;
  /** Executes the request; derives the ids of new resources from the seed. */
  work(admitted: Admitted): Promise<T>;
  /** Stores the response. */
  keep(admitted: Admitted, answer: T): Promise<unknown>;
}

/**
 * Executes a request with a key once, however long it takes. A refused request releases its key. After any
 * other failure the key stays reserved, because the request may have taken effect: a repeat executes it again
 * if that is safe, else fails with `idempotency_outcome_unknown`.
 *
 * @throws ProblemError `idempotency_key_reused`, `idempotency_under_way`, `idempotency_outcome_unknown`; the
 *   errors of `work`
 */
export async function runIdempotent<T>(db: Database, request: KeyedRequest, once: Once<T>): Promise<T> {
  const admission = await acquireKey(db, request, once.isRepeatable);
  switch (admission.kind) {
    case 'other_request':
      throw new ProblemError('idempotency_key_reused', phrase('idempotency_key_reused.new_key'));
    case 'under_way':
      throw requestInProgress();
    case 'unknown':
      throw new ProblemError(
        'idempotency_outcome_unknown',
        phrase('idempotency_outcome_unknown.check_effect'),
      );
    case 'repeat':
      return once.repeat(admission);
  }
  const lease = startKeyRenewal(db, request, admission.attempt);
  try {
    const answer = await once.work(admission);
    // The request took effect: its client gets the response even if storing it for repeats fails.
    await once
      .keep(admission, answer)
      .catch(() => release(db, request, admission.attempt).catch(() => undefined));
    return answer;
  } catch (error) {
    const isRefused = problemOf(error).status < 500;
    await (isRefused ? deleteRejectedKey : release)(db, request, admission.attempt).catch(() => undefined);
    throw error;
  } finally {
    lease.stop();
  }
}
