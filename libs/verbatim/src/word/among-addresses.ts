/** Characters that an address has at most. */
const LONGEST = 2_000;

interface Place {
  at: number;
  length: number;
}

/**
 * Finds words in a text, both without white space, where addresses may stand in brackets behind any character of the words: a document tells
 * the addresses of files behind the words of the links to them, and what follows is then no part of the same word any more.
 * Where they stand as they are comes first.
 */
export function findAmongAddresses(text: string, sought: string, from: number): Place | undefined {
  const exact = text.indexOf(sought, from);
  if (exact >= 0) return { at: exact, length: sought.length };
  const first = sought.charAt(0);
  for (let at = text.indexOf(first, from); at >= 0; at = text.indexOf(first, at + 1)) {
    const end = follow(text, at, sought);
    if (end >= 0) return { at, length: end - at };
  }
  return undefined;
}

/** Where the words end that begin at a place; -1 when they do not stand there. */
function follow(text: string, from: number, sought: string): number {
  /** The last bracket that was taken for one of the words, and its place among them. */
  let open = -1;
  let before = 0;
  let at = from;
  for (let done = 0; done < sought.length; done++, at++) {
    const isSame = text[at] === sought[done];
    if (text[at] === '(' && done > 0) [open, before] = [at, done];
    if (isSame) continue;
    if (open < 0) return -1;
    [at, done] = [behindAddress(text, open, sought[before]), before];
    open = -1;
    if (at < 0) return -1;
  }
  return at;
}

/** Behind the address that begins at a bracket, where the words go on with a character; -1 when they do not. */
function behindAddress(text: string, open: number, next: string | undefined): number {
  for (let end = text.indexOf(')', open); end >= 0 && end - open <= LONGEST; end = text.indexOf(')', end + 1))
    if (text[end + 1] === next) return end + 1;
  return -1;
}
