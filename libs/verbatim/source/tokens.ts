import { withoutEnding, withoutPossessive, startsLikeName } from '#contracts/text.js';
import { canonicalNumber, canonicalUnit, isMonthOrDay, numberOfWord } from './units-of-measure.js';

/**
 * A word of prose that rewording must not lose or change. `text` is as written; `key` is the same for all
 * spellings.
 */
export interface HardToken {
  kind: 'number' | 'unit' | 'date' | 'url' | 'path' | 'identifier' | 'quote' | 'name' | 'negation';
  text: string;
  key: string;
  /** A name recognized only by its position: it may be a common word with the capital of a sentence start. */
  uncertain?: true;
}

const URL_TOKEN =
  /\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s<>"')\]]{1,2000}|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}/gi;
const CODE_TOKEN = /`([^`\n]{1,500})`/g;
const QUOTE_TOKEN = /"([^"\n]{2,300})"|“([^”\n]{2,300})”|«([^»\n]{2,300})»|„([^“”\n]{2,300})[“”]/g;
const WORD_TOKEN = /(?:[~.]{0,2}[/\\])?[\p{L}\p{N}_$€£][\p{L}\p{N}_$.,:/\\%°+@#'’-]*|%|°[CF]?/gu;
const NEGATION =
  /^(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|unless|nicht|kein\w*|nie|niemals|ohne|bez|brak|żad\w*|pas|jamais|sans|sin|ningun\w*|\w+n['’]t)$/i;
/**
 * Words that deny without "not". They count as negations, so that "is not available" may become "is
 * unavailable".
 */
const DENIAL =
  /^(?:unable|impossible|fail(?:s|ed|ing|ure|ures)?|lack(?:s|ed|ing)?|refus(?:e|es|ed|ing|al)|reject(?:s|ed|ing|ion)?|forb[ai]d(?:s|den)?|prohibit(?:s|ed)?|prevent(?:s|ed)?|den(?:y|ies|ied)|un(?:available|supported|safe|known|necessary|changed|used|reachable|reliable|successful|authori[sz]ed|encrypted|limited|affected|stable|finished|signed)|in(?:valid|correct|complete|active|secure|accessible|consistent)|disabl(?:e|es|ed|ing)|off|absent|missing|exclud(?:e|es|ed|ing)|except|hardly|rarely|stop(?:s|ped)?|illegal|offline)$/i;

/** Returns whether a word is a negation, such as `not` or `never`. */
export const isNegation = (word: string): boolean => NEGATION.test(word);

/** Words that a unit may follow without a number: `per hour`. */
const RATE = ['per', 'each', 'every'];
const TITLE = /\b(?:Dr|Mr|Mrs|Ms|Prof|St|M|MM|Mme|Sr|Sra|Rev|Capt|Cllr)\.\s*$/;

/** Returns the hard tokens of prose: URLs, code and quotes first, then words in reading order. Linear. */
export function hardTokens(text: string): HardToken[] {
  const found: HardToken[] = [];
  const add = (kind: HardToken['kind'], token: string, key = token) => found.push({ kind, text: token, key });
  let rest = text.replace(URL_TOKEN, (url) => {
    const bare = url.replace(/[.,;:!?]+$/, '');
    add('url', bare);
    return ` ${url.slice(bare.length)}`;
  });
  rest = rest.replace(CODE_TOKEN, (_, code: string) => {
    if (code.trim() !== '') add('identifier', code);
    return ' ';
  });
  for (const match of rest.matchAll(QUOTE_TOKEN)) {
    const quote = (match[1] ?? match[2] ?? match[3] ?? match[4]) as string;
    add('quote', quote, quote.replace(/[.,!?]+$/, '').toLowerCase());
  }
  wordTokens(rest, found);
  return found;
}

function wordTokens(text: string, found: HardToken[]): void {
  let afterNumber = false;
  for (const match of text.matchAll(WORD_TOKEN)) {
    const word = withoutPossessive(match[0].replace(/[.,:/\\+@#'’-]+$/, ''));
    if (word === '') continue;
    const unit = afterNumber ? canonicalUnit(word) : null;
    afterNumber = false;
    if (unit !== null) {
      found.push({ kind: 'unit', text: word, key: unit });
      continue;
    }
    afterNumber =
      RATE.includes(word.toLowerCase()) || classify(word, startsSentence(text, match.index), found);
  }
}

/** Adds the tokens of one word. Returns true if it is a number, which a unit may follow. */
function classify(word: string, first: boolean, found: HardToken[]): boolean {
  const add = (kind: HardToken['kind'], key: string) => found.push({ kind, text: word, key });
  const measured = /^([$€£]?\d[\d.,]*)(%|°[CF]?|[a-zµμ]{1,4}|[KMGT]i?B)$/iu.exec(word);
  if (measured && canonicalUnit(measured[2] as string) !== null) {
    add('number', canonicalNumber(measured[1] as string));
    add('unit', canonicalUnit(measured[2] as string) as string);
    return false;
  }
  if (/^[$€£]?\p{N}/u.test(word)) {
    add('number', canonicalNumber(word));
    return true;
  }
  const spelled = numberOfWord(word);
  if (spelled !== null) {
    add('number', spelled);
    return true;
  }
  if (NEGATION.test(word) || DENIAL.test(word)) add('negation', 'not');
  else if (isMonthOrDay(word)) add('date', word.slice(0, 3).toLowerCase());
  else nameLike(word, first, add);
  return false;
}

function nameLike(word: string, first: boolean, add: (kind: HardToken['kind'], key: string) => void): void {
  if (/[/\\]/.test(word) && !/^\p{L}+\/\p{L}+$/u.test(word)) add('path', word);
  else if (/\p{L}\.[a-z0-9]{1,5}$/iu.test(word) && !/^(?:e\.g|i\.e|z\.B|a\.m|p\.m)$/i.test(word))
    add('path', word);
  else if (/[_$:\d]/.test(word) || /\p{Ll}\p{Lu}/u.test(word)) add('identifier', word);
  else if (/^\p{Lu}{2,}(?:-\p{Lu}+)*s?$/u.test(word)) add('identifier', withoutEnding(word, 's'));
  else if (!first && startsLikeName(word)) add('name', word);
}

/** Returns whether a word starts a sentence, also after emphasis markup. Then its capital does not indicate a name. */
function startsSentence(text: string, at: number): boolean {
  let i = at - 1;
  while (i >= 0 && /[\s*_>#"'“„(«[\-–—•]/.test(text.charAt(i))) i--;
  return i < 0 || (/[.!?:。！？\n]/.test(text.charAt(i)) && !TITLE.test(text.slice(Math.max(0, i - 5), at)));
}
