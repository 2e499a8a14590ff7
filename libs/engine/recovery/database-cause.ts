import { joinPhrases, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { causesOf } from './outage.js';

/** Texts for known failures of PostgreSQL by SQLSTATE or its class, and of Node for strings that it cannot build. */
const CAUSES: readonly (readonly [pattern: RegExp, text: Phrase])[] = [
  [/^(?:54[0-9A-Z]{3}|ERR_STRING_TOO_LONG)$/, phrase('database_cause.too_large')],
  [/^(?:53100|ENOSPC|EDQUOT)$/, phrase('database_cause.disk_full')],
  [/^53200$/, phrase('database_cause.out_of_memory')],
  [/^53300$/, phrase('database_cause.too_many_connections')],
  [/^22[0-9A-Z]{3}$/, phrase('database_cause.invalid_value')],
  [/^23[0-9A-Z]{3}$/, phrase('database_cause.conflict')],
];
/** PostgreSQL reports a value of more than 1 GB as an internal error. */
const TOO_LARGE = /^invalid memory alloc request size/;

/** Returns the known cause of a database error, without its statement or values; null for other errors. */
export function databaseCause(error: unknown): Phrase | null {
  for (const { codes, message } of causesOf(error)) {
    const known = CAUSES.find(([pattern]) => codes.some((code) => pattern.test(code)));
    if (known) return known[1];
    if (typeof message === 'string' && TOO_LARGE.test(message)) return phrase('database_cause.too_large');
  }
  return null;
}

/** Returns the text of a failure, with the known cause of the database error that led to it. */
export function withDatabaseCause(failure: Phrase, error: unknown): Phrase {
  const cause = databaseCause(error);
  return cause === null ? failure : joinPhrases('sentences', [failure, cause]);
}
