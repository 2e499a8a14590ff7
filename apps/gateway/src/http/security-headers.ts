import type { FastifyReply, FastifyRequest } from 'fastify';

/** Nothing that the API answers with is a page that may run or load anything; the ledger as HTML has styles of its own. */
const API_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";
/** Pages with scripts, which run and load what the gateway itself serves, and nothing that stands in the page. */
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

/** What browsers may do with an answer, by where its path begins; the first that fits counts. */
const POLICIES: [area: RegExp, policy: string][] = [
  [/^\/api\/docs(\/|$)/, PAGE_POLICY],
  [/^\/admin\/queues(\/|$)/, PAGE_POLICY],
  // Of the studio, whose page has a policy of its own: a worker has the policy of its script.
  [/^\/assets\//, PAGE_POLICY],
  [/^/, API_POLICY],
];

/** Headers that keep browsers from guessing types, framing, caching or sharing what a tenant reads. */
export function securityHeaders(url: string): Record<string, string> {
  const path = url.split('?')[0]!;
  const policy = POLICIES.find(([area]) => area.test(path))![1];
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': policy,
    'cache-control': 'no-store',
  };
}

/** Hook that adds `securityHeaders`; a header that the answer has already is kept. */
export async function addSecurityHeaders(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  for (const [name, value] of Object.entries(securityHeaders(request.url)))
    if (!reply.hasHeader(name)) reply.header(name, value);
}
