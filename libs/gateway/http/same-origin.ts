import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { FastifyRequest } from 'fastify';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns whether a browser sent the request from a page of another site; programs send no site. */
function isFromAnotherSite({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (typeof site === 'string') return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/**
 * Protects endpoints to which browsers send HTTP Basic credentials automatically against requests from other
 * sites. Programs pass, because they send no site.
 *
 * @throws ProblemError `cross_site_request` for a change requested by another site's page
 */
export function refuseOtherSites(request: FastifyRequest): void {
  if (SAFE.has(request.method) || !isFromAnotherSite(request)) return;
  throw new ProblemError('cross_site_request', phrase('cross_site_request.other_site'));
}
