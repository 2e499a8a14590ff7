import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';

/** Returns the problem of a caller whose credentials lack the scope. */
export function missingScope(scope: string, scopes: readonly string[]): ProblemError {
  const detail =
    scopes.length === 0
      ? phrase('forbidden.no_scope', { scope })
      : phrase('forbidden.scope', { scope, scopes: scopes.join(', ') });
  return new ProblemError('forbidden', detail);
}
