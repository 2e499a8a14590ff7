import { scopes, type Scope, type TokenAudience } from '#contracts/api/access-schemas.js';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Claims of an access token; trust them only after the signature was checked. */
interface TokenClaims {
  apiKeyId: string;
  scopes: Scope[];
  /** Unix time in seconds. */
  expiresAt: number;
  audience: TokenAudience;
}

const PATTERN = /^sct_([A-Za-z0-9_-]{1,300})\.([A-Za-z0-9_-]{43})$/;

/**
 * Signs with a key derived from the API key's hash, so that a token ends with its API key, and from the
 * operator's optional secret, which is not in the database.
 */
const signatureOf = (payload: string, keyHash: string, secret: string) =>
  createHmac('sha256', createHmac('sha256', keyHash).update(`access token\0${secret}`).digest())
    .update(payload)
    .digest();

/** Returns a token `sct_{claims}.{signature}`. */
export function signToken(claims: TokenClaims, keyHash: string, secret = ''): string {
  const fields = {
    k: claims.apiKeyId,
    s: claims.scopes.map((scope) => scopes.indexOf(scope)),
    e: claims.expiresAt,
    ...(claims.audience === 'api' ? {} : { a: claims.audience }),
  };
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `sct_${payload}.${signatureOf(payload, keyHash, secret).toString('base64url')}`;
}

/** Parses the claims of a token without checking the signature; null if malformed. */
export function readToken(token: string): TokenClaims | null {
  const payload = PATTERN.exec(token)?.[1];
  if (payload === undefined) return null;
  try {
    const {
      k,
      s,
      e,
      a = 'api',
    } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>;
    if (typeof k !== 'string' || !Array.isArray(s) || typeof e !== 'number') return null;
    if (a !== 'api' && a !== 'mcp') return null;
    return { apiKeyId: k, scopes: scopes.filter((_, index) => s.includes(index)), expiresAt: e, audience: a };
  } catch {
    return null;
  }
}

/** Returns whether a token's signature matches its claims. */
export function isSigned(token: string, keyHash: string, secret = ''): boolean {
  const match = PATTERN.exec(token);
  if (!match) return false;
  const given = Buffer.from(match[2]!, 'base64url');
  const expected = signatureOf(match[1]!, keyHash, secret);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
