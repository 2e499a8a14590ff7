/**
 * Escapes that JSON allows and JSONB does not. Pairs of backslashes match first, so that escaped backslashes
 * stay.
 */
const REFUSED = /\\\\|\\u0000|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;

/**
 * Returns a value as JSON text that JSONB accepts: drops NUL and replaces a lone surrogate with U+FFFD,
 * because neither can be stored. (JSON.stringify escapes only lone surrogates.)
 */
export function toJsonb(value: unknown): string {
  return JSON.stringify(value).replace(REFUSED, (escape) => {
    if (escape === '\\\\') return escape;
    return escape === '\\u0000' ? '' : '\\ufffd';
  });
}
