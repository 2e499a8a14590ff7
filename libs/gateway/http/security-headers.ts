import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';

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

/** Policy for API responses, which must not run or load anything; the ledger as HTML has inline styles. */
const API_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";
/** Policy for pages that load scripts and resources only from the gateway; inline scripts are refused. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Areas with pages. The studio's page sets its own policy, but a web worker gets the policy of its script. */
const PAGES = ['/api/docs', '/admin/queues', '/assets'];

/**
 * Returns headers that keep browsers from guessing types, and from framing, caching or sharing what a tenant
 * reads.
 */
export function securityHeaders(url: string): Record<string, string> {
  const path = `${url.split('?')[0]!}/`;
  const policy = PAGES.some((area) => path.startsWith(`${area}/`)) ? PAGE_POLICY : API_POLICY;
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': policy,
    'cache-control': 'no-store',
  };
}

/** Hook that adds `securityHeaders`, except headers that the response already has. */
export async function addSecurityHeaders(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  for (const [name, value] of Object.entries(securityHeaders(request.url)))
    if (!reply.hasHeader(name)) reply.header(name, value);
}
