import type { GatewaySettings } from '#config/settings.js';
import { createHash, timingSafeEqual } from 'node:crypto';

/** What a 401 of the operator's endpoints and pages asks for. */
export const OPERATOR_CHALLENGE = 'Basic realm="Scriptorium admin", charset="UTF-8"';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether a request's `Authorization` is the operator's, by HTTP Basic; without a password in the settings nobody's. */
export function isAdmin(
  authorization: string | undefined,
  { ADMIN_USER, ADMIN_PASSWORD }: Pick<GatewaySettings, 'ADMIN_USER' | 'ADMIN_PASSWORD'>,
): boolean {
  const [scheme, credentials] = (authorization ?? '').split(' ');
  if (ADMIN_PASSWORD === undefined || scheme?.toLowerCase() !== 'basic') return false;
  const given = Buffer.from(credentials ?? '', 'base64').toString('utf8');
  return timingSafeEqual(digest(`${ADMIN_USER}:${ADMIN_PASSWORD}`), digest(given));
}
