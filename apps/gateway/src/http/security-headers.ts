import type { FastifyReply, FastifyRequest } from 'fastify';

/** Nothing the API answers with is a page that may run or load anything; the ledger as HTML has styles of its own. */
const API_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";
/** The pages that come with scripts: the API's documentation, bull-board, and whatever is served beside them. */
const PAGE_POLICY = "frame-ancestors 'none'; object-src 'none'; base-uri 'self'";

/** Headers that keep browsers from guessing types, framing, caching or sharing what a tenant reads. */
export function securityHeaders(url: string): Record<string, string> {
  const path = url.split('?')[0]!;
  const isApi = path.startsWith('/api/') && !/^\/api\/docs(\/|$)/.test(path);
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': isApi ? API_POLICY : PAGE_POLICY,
    ...(isApi ? { 'cache-control': 'no-store' } : {}),
  };
}

/** Hook that adds `securityHeaders`; a header that the answer has already is kept. */
export async function addSecurityHeaders(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  for (const [name, value] of Object.entries(securityHeaders(request.url)))
    if (!reply.hasHeader(name)) reply.header(name, value);
}
