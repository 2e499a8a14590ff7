/** Escapes that JSON allows and JSONB does not; a pair of backslashes is matched first, so that text about escapes stays. */
const REFUSED = /\\\\|\\u0000|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;

/**
 * A value as JSON text that PostgreSQL takes as JSONB: NUL is dropped and a lone surrogate becomes U+FFFD, since neither can be
 * stored. (JSON.stringify escapes only surrogates that are alone.)
 */
export function toJsonb(value: unknown): string {
  return JSON.stringify(value).replace(REFUSED, (escape) => {
    if (escape === '\\\\') return escape;
    return escape === '\\u0000' ? '' : '\\ufffd';
  });
}
