/** A word of prose that rewording may not lose or change. */
export interface HardToken {
  kind: 'number' | 'url' | 'path' | 'identifier' | 'quote' | 'name' | 'negation';
  text: string;
}

const URL_TOKEN =
  /\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s<>"')\]]{1,2000}|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}/gi;
const CODE_TOKEN = /`([^`\n]{1,500})`/g;
const QUOTE_TOKEN = /"([^"\n]{2,300})"|“([^”\n]{2,300})”|«([^»\n]{2,300})»|„([^“”\n]{2,300})[“”]/g;
const WORD_TOKEN = /[\p{L}\p{N}_$][\p{L}\p{N}_$.:/\\%°+@#-]*/gu;
const NEGATION =
  /^(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|nicht|kein\w*|nie|niemals|ohne|nie|bez|brak|żad\w*|pas|jamais|sans|sin|ningun\w*)$|n['’]t$/i;
const NUMBER_WORDS = new Set(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion'.split(
    ' ',
  ),
);

/** The hard tokens of a piece of prose, in reading order by kind: URLs, code, quotes, then words. Numbers keep their unit when written together. */
export function hardTokens(text: string): HardToken[] {
  const found: HardToken[] = [];
  let rest = take(text, URL_TOKEN, (match) =>
    found.push({ kind: 'url', text: match[0].replace(/[.,;:!?]+$/, '') }),
  );
  rest = take(rest, CODE_TOKEN, (match) => found.push({ kind: 'identifier', text: match[1] as string }));
  for (const match of rest.matchAll(QUOTE_TOKEN)) {
    found.push({ kind: 'quote', text: (match[1] ?? match[2] ?? match[3] ?? match[4]) as string });
  }
  words(rest, found);
  return found;
}

function take(text: string, pattern: RegExp, add: (match: RegExpMatchArray) => void): string {
  return text.replace(pattern, (...args) => {
    add(args as unknown as RegExpMatchArray);
    return ' ';
  });
}

function words(text: string, found: HardToken[]): void {
  for (const match of text.matchAll(/[\p{L}]+n['’]t\b/gu))
    found.push({ kind: 'negation', text: match[0].toLowerCase() });
  for (const match of text.matchAll(WORD_TOKEN)) {
    const word = match[0].replace(/[.:/\\+@#-]+$/, '');
    const kind = wordKind(word, startsSentence(text, match.index));
    if (kind) found.push({ kind, text: kind === 'negation' ? word.toLowerCase() : word });
  }
}

function wordKind(word: string, first: boolean): HardToken['kind'] | null {
  if (/^\p{N}/u.test(word)) return 'number';
  if (NUMBER_WORDS.has(word.toLowerCase()) && word.toLowerCase() !== 'one') return 'number';
  if (NEGATION.test(word)) return 'negation';
  if (/[/\\]/.test(word) && /[./\\]/.test(word) && !/^(?:and\/or|he\/she)$/i.test(word)) return 'path';
  if (/\p{L}\.[a-z0-9]{1,5}$/iu.test(word) && !/^(?:e\.g|i\.e|z\.B)$/i.test(word)) return 'path';
  if (/[_$:\d]/.test(word) || /\p{Ll}\p{Lu}/u.test(word)) return 'identifier';
  if (/^\p{Lu}{2,}(?:-\p{Lu}+)*s?$/u.test(word)) return 'identifier';
  return !first && /^\p{Lu}\p{Ll}/u.test(word) ? 'name' : null;
}

/** A capital after the start of the text, a full stop, or a mark of emphasis at the start says nothing. */
function startsSentence(text: string, at: number): boolean {
  let i = at - 1;
  while (i >= 0 && /[\s*_>#"'“„(«[\-–—•]/.test(text.charAt(i))) i--;
  return i < 0 || /[.!?:。！？\n]/.test(text.charAt(i));
}
