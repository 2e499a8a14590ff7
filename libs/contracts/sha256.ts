import { createHash } from 'node:crypto';

/** Returns the SHA-256 hash of bytes, or of a text in UTF-8. */
export const sha256 = (data: string | Uint8Array, encoding: 'hex' | 'base64url' = 'hex'): string =>
  createHash('sha256').update(data).digest(encoding);
