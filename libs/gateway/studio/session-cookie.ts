import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Returns the cookie's name. Browsers accept a `__Host-` cookie only over TLS, for this host and every path.
 */
const nameFor = (isSecure: boolean) => (isSecure ? '__Host-scriptorium_session' : 'scriptorium_session');

const isSecure = (request: FastifyRequest) => request.protocol === 'https';

/** Returns the session secret that a browser sends; undefined without one. */
export function sessionSecretOf(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(isSecure(request))];
}

/** Sets the session cookie. Scripts cannot read it, and requests from other sites do not carry it. */
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
 * Refuses a change requested by a page of another site (CSRF). Checks the headers in which browsers name the
 * origin, because SameSite=Strict alone would admit pages of another port of this host.
 *
 * @throws ProblemError `cross_site_request`
 */
export function requireSameOrigin({ headers, host, protocol }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || (site === undefined && headers.origin === `${protocol}://${host}`)) return;
  throw new ProblemError('cross_site_request', phrase('cross_site_request.browser'));
}
