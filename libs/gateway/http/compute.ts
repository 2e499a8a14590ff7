import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { runApart, type ApartLimits } from '#kit/runtime/run-apart.js';
import { ProcessKilledError, WorkLimitError } from '#kit/runtime/work-pool.js';

/**
 * Calls the default export of a compiled module for a request, so that no tenant's text blocks other requests.
 *
 * @param input structured-cloneable
 * @throws what `refusal` returns beyond the limits: by default, ProblemError `invalid_request` about texts
 */
export async function computeForRequest<T>(
  module: URL,
  input: unknown,
  limits: Omit<ApartLimits, 'where'> & Partial<ApartLimits>,
  refusal: () => ProblemError = textsTooHard,
): Promise<T> {
  try {
    return await runApart<T>(module, input, { where: 'request_thread', ...limits });
  } catch (error) {
    if (error instanceof WorkLimitError || error instanceof ProcessKilledError) throw refusal();
    throw error;
  }
}

const textsTooHard = () => new ProblemError('invalid_request', phrase('invalid_request.texts_too_hard'));
