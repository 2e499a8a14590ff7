import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A new id such as `run_3k9…`: a prefix that names the kind and 26 characters of Crockford base 32 (130 random bits).
 * It holds no `:` (BullMQ forbids it in job ids) and cannot be guessed.
 */
export function newId(prefix: 'ten' | 'key' | 'ses' | 'fil' | 'run' | 'exp' | 'cal' | 'req'): string {
  let id = '';
  for (const byte of randomBytes(26)) id += ALPHABET[byte & 31];
  return `${prefix}_${id}`;
}
