import { sha256 } from '#contracts/sha256.js';
import { randomBytes, timingSafeEqual } from 'node:crypto';

const KEY = /^scr_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

/** Returns a new secret, of which only the hash is stored. */
export const newSecret = () => randomBytes(32).toString('base64url');

export const hashOf = (secret: string) => sha256(secret);

/** Returns the end of a lifetime that starts now. */
export const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);

/** A new API key, `scr_{prefix}_{secret}`; only the prefix and the hash of the secret are stored. */
interface NewSecret {
  key: string;
  prefix: string;
  hash: string;
}

export function createSecret(): NewSecret {
  const prefix = randomBytes(6).toString('hex');
  const secret = newSecret();
  return { key: `scr_${prefix}_${secret}`, prefix, hash: hashOf(secret) };
}

/** Returns the prefix of an API key; undefined if the text is not an API key. */
export const prefixOf = (key: string): string | undefined => KEY.exec(key)?.[1];

/** Returns whether a key has the secret of this hash. */
export function hasSecret(key: string, hash: string): boolean {
  const secret = KEY.exec(key)?.[2];
  return secret !== undefined && timingSafeEqual(Buffer.from(hash), Buffer.from(hashOf(secret)));
}
