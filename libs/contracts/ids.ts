import { sha256 } from './sha256.js';
import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type IdPrefix =
  | 'ten'
  | 'key'
  | 'ses'
  | 'fil'
  | 'run'
  | 'tsk'
  | 'exp'
  | 'cal'
  | 'req'
  | 'ans'
  | 'whk'
  | 'msg'
  | 'cmd'
  | 'col'
  | 'src'
  | 'chk'
  | 'bok'
  | 'cha'
  | 'chv'
  | 'art'
  | 'mcp'
  | 'grt'
  | 'sec'
  | 'sch'
  | 'pln'
  | 'wtp'
  | 'lnk'
  | 'cmt';

/**
 * Returns a new ID such as `run_3k9…`: a prefix for the kind and 26 characters of Crockford base 32 (130
 * random bits). It cannot be guessed, and contains no `:`, which BullMQ forbids in job IDs.
 */
export function newId(prefix: IdPrefix): string {
  return format(prefix, randomBytes(26));
}

/** Returns an ID that is the same for the same prefix and seed, and as hard to guess as the seed. */
export function derivedId(prefix: IdPrefix, seed: string): string {
  return format(prefix, createHash('sha256').update(`${prefix}/${seed}`).digest().subarray(0, 26));
}

/**
 * Returns a key of fixed length for a list of IDs, however many there are: keys of a database index are limited in
 * size.
 */
export function digestIds(ids: readonly string[]): string {
  return sha256(ids.join('+'), 'base64url');
}

function format(prefix: IdPrefix, bytes: Buffer): string {
  let id = '';
  for (const byte of bytes) id += ALPHABET[byte & 31];
  return `${prefix}_${id}`;
}
