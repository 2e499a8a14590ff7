import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

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

const isUnusable = (text: string) => text.includes('\0') || !text.isWellFormed();

function holdsUnusable(value: unknown): boolean {
  if (typeof value === 'string') return isUnusable(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, entry]) => isUnusable(key) || holdsUnusable(entry));
}

/**
 * Refuses NUL characters and unpaired surrogates, which PostgreSQL cannot store.
 *
 * @throws ProblemError `not_found` for one in the path, `invalid_request` elsewhere
 */
export async function refuseUnusableText(request: FastifyRequest): Promise<void> {
  if (holdsUnusable(request.params)) throw new ProblemError('not_found', phrase('not_found.path'));
  const isJson = typeof request.body === 'object' && !request.isMultipart();
  if (holdsUnusable(request.query) || (isJson && holdsUnusable(request.body))) {
    throw new ProblemError('invalid_request', phrase('invalid_request.characters'));
  }
}

const texts = new WeakMap<FastifyRequest, string>();

/** Returns the JSON body of a request as it arrived. */
export const jsonTextOf = (request: FastifyRequest): string => texts.get(request) ?? '';

/** Parses JSON bodies like Fastify, but refuses invalid UTF-8 (`malformed_json`) instead of replacing it. */
export function readJsonStrictly(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer);
    } catch {
      done(new ProblemError('malformed_json', phrase('malformed_json.not_utf8')));
      return;
    }
    texts.set(request, text);
    void parse(request, text, done);
  });
}
