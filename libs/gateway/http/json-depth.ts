import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { FastifyRequest } from 'fastify';

/** Maximum nesting of a body; code that walks bodies recursively relies on it. */
const MAX_DEPTH = 32;

/** @throws ProblemError `invalid_request` for a JSON body that nests deeper than 32 levels */
export async function refuseDeepJson(request: FastifyRequest): Promise<void> {
  if (typeof request.body !== 'object' || request.body === null || request.isMultipart()) return;
  let level: unknown[] = [request.body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH)
      throw new ProblemError('invalid_request', phrase('invalid_request.nested', { max: MAX_DEPTH }));
    level = level
      .flatMap((value) => Object.values(value as object))
      .filter((value) => typeof value === 'object' && value !== null);
  }
}
