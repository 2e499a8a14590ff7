import type { ProblemError } from '#contracts/errors.js';
import { runApart, type ApartLimits } from '#kit/runtime/run-apart.js';
import { ProcessKilledError, WorkLimitError } from '#kit/runtime/work-pool.js';

/**
 * Calls the default export of a compiled module for a request, so that no tenant's text blocks other requests.
 *
 * @param input structured-cloneable
 * @throws what `refusal` returns beyond the limits
 */
export async function computeForRequest<T>(
  module: URL,
  input: unknown,
  limits: ApartLimits,
  refusal: () => ProblemError,
): Promise<T> {
  try {
    return await runApart<T>(module, input, limits);
  } catch (error) {
    if (error instanceof WorkLimitError || error instanceof ProcessKilledError) throw refusal();
    throw error;
  }
}
