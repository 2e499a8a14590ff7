import { ProblemError } from '#contracts/errors.js';
import type { FastifyRequest } from 'fastify';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a page of another site made a browser send the request; clients that are no browsers name no site. */
function isFromAnotherSite({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (typeof site === 'string') return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/**
 * Protects what a browser sends HTTP Basic credentials for by itself from other sites' pages, and lets programs through, which
 * name no site.
 *
 * @throws ProblemError `cross_site_request` for a request that changes something and comes from another site's page
 */
export function refuseOtherSites(request: FastifyRequest): void {
  if (SAFE.has(request.method) || !isFromAnotherSite(request)) return;
  throw new ProblemError('cross_site_request', 'The request comes from a page of another site.');
}
