import { ProblemError } from '#contracts/errors.js';
import type { FastifyRequest } from 'fastify';

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, entry]) => hasNul(key) || hasNul(entry));
}

/**
 * Refuses NUL characters, which no name, id or text of ours holds and PostgreSQL cannot store.
 *
 * @throws ProblemError `not_found` for one in the path, `invalid_request` elsewhere
 */
export async function refuseNul(request: FastifyRequest): Promise<void> {
  if (hasNul(request.params))
    throw new ProblemError('not_found', 'There is nothing at this path for this method.');
  const isJson = typeof request.body === 'object' && !request.isMultipart();
  if (hasNul(request.query) || (isJson && hasNul(request.body))) {
    throw new ProblemError(
      'invalid_request',
      'The request holds a NUL character. Remove it and send the request again.',
    );
  }
}
