/**
 * Replaces characters that XML 1.0 does not allow, as in logs, instead of dropping them: control characters
 * by their pictures (escape becomes ␛), lone surrogates and non-characters by the replacement character.
 */

const ILLEGAL =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const ALL_ILLEGAL = new RegExp(ILLEGAL, 'g');

/** Replaces every character that XML 1.0 forbids. */
export function replaceIllegalXmlChars(text: string): string {
  return ILLEGAL.test(text) ? text.replace(ALL_ILLEGAL, picture) : text;
}

function picture(char: string): string {
  const code = char.charCodeAt(0);
  return code < 32 ? String.fromCharCode(0x2400 + code) : '\uFFFD';
}
