import { ProblemError } from '#contracts/errors.js';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** With the prefix a browser takes the cookie over TLS only, for this host and every path, from this host alone. */
const nameFor = (isSecure: boolean) => (isSecure ? '__Host-scriptorium_session' : 'scriptorium_session');

const isSecure = (request: FastifyRequest) => request.protocol === 'https';

/** The secret of the session that a browser sends; undefined without one. */
export function sessionSecretOf(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(isSecure(request))];
}

/** Hands a browser its session: no script can read the cookie, and no other site's request carries it. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
  expires: Date,
) {
  const secure = isSecure(request);
  reply.setCookie(nameFor(secure), secret, {
    httpOnly: true,
    sameSite: 'strict',
    secure,
    path: '/',
    expires,
  });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  const secure = isSecure(request);
  reply.clearCookie(nameFor(secure), { httpOnly: true, sameSite: 'strict', secure, path: '/' });
}

/**
 * Refuses a change that a page of another site asks for (CSRF). Browsers say where a request comes from; SameSite=Strict
 * alone would let pages of another port of this host through.
 *
 * @throws ProblemError `cross_site_request`
 */
export function requireSameOrigin({ headers, host, protocol }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || (site === undefined && headers.origin === `${protocol}://${host}`)) return;
  throw new ProblemError(
    'cross_site_request',
    'A signed-in browser can change something from the pages of this service only. Programs send an API key.',
  );
}
