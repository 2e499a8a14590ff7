import type { GatewaySettings } from '#config/settings.js';
import { createHash, timingSafeEqual } from 'node:crypto';

/** `WWW-Authenticate` challenge of the operator's endpoints and pages. */
export const OPERATOR_CHALLENGE = 'Basic realm="Scriptorium admin", charset="UTF-8"';

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Returns whether an `Authorization` header has the operator's credentials (HTTP Basic); always false if no
 * password is configured.
 */
export function isAdmin(
  authorization: string | undefined,
  { ADMIN_USER, ADMIN_PASSWORD }: Pick<GatewaySettings, 'ADMIN_USER' | 'ADMIN_PASSWORD'>,
): boolean {
  const [scheme, credentials] = (authorization ?? '').split(' ');
  if (ADMIN_PASSWORD === undefined || scheme?.toLowerCase() !== 'basic') return false;
  const given = Buffer.from(credentials ?? '', 'base64').toString('utf8');
  return timingSafeEqual(digest(`${ADMIN_USER}:${ADMIN_PASSWORD}`), digest(given));
}
