const MAX_TRIES = 10_000;

/** Returns whether the text contains the token without an adjacent letter or digit. Case-sensitive. */
export function occursIn(token: string, text: string): boolean {
  let tries = 0;
  for (let at = text.indexOf(token); at >= 0 && tries < MAX_TRIES; at = text.indexOf(token, at + 1)) {
    if (!isWordChar(text, at - 1) && !isWordChar(text, at + token.length)) return true;
    tries++;
  }
  return false;
}

function isWordChar(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /[\p{L}\p{N}]/u.test(text.charAt(at));
}
