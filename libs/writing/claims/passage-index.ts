import { hardTokens } from '#verbatim/source/tokens.js';
import { occursIn } from '#verbatim/source/occurs.js';
import { dates } from '../facts/dates.js';
import type { Claim } from './claims.js';
import { figuresIn } from './figures.js';
import { claimLexiconOf, monthNumber } from './lexicon.js';
import { languageOf } from '../language.js';
import { withoutNotes } from '../sentences.js';

/** A text in the form in which claims are looked up. */
export interface IndexedText {
  text: string;
  lower: string;
  language: string | null;
  /** Values of its figures and numbers of its months. */
  values: ReadonlySet<string>;
  tokens: ReadonlySet<string>;
  words: KnownWords;
  /** Its letters and digits only, to recognize sentences taken word for word. */
  letters: string;
}

/** Prepares a text for `states`. Linear. */
export function indexText(text: string): IndexedText {
  const flat = text.replace(/\s+/g, ' ');
  const language = languageOf(text);
  return {
    language,
    text: flat,
    lower: flat.toLowerCase(),
    values: valuesIn(flat),
    tokens: new Set(hardTokens(flat).map(({ kind, key }) => `${kind} ${key}`)),
    words: knownWords(flat),
    letters: lettersOf(text),
  };
}

function valuesIn(text: string): Set<string> {
  const values = new Set<string>();
  for (const language of new Set([languageOf(text), 'en', 'de', 'pl', 'fr', 'es']))
    for (const figure of figuresIn(text, claimLexiconOf(language)))
      for (const value of figure.values) values.add(value);
  for (const word of text.match(/\p{L}{3,12}/gu) ?? []) {
    const month = monthNumber(word);
    if (month !== null) values.add(`month ${month}`);
  }
  for (const { value } of dates(text)) {
    const [year, month] = value.split('-');
    values.add(String(Number(year)));
    if (month !== undefined) values.add(`month ${Number(month)}`);
  }
  if (SHARE.test(text)) values.add('share');
  const years = [...values].map(Number).filter((value) => value >= 1_000 && value <= 2_100);
  for (const from of years.slice(0, MAX_YEARS))
    for (const to of years.slice(0, MAX_YEARS)) if (to > from) values.add(`gap ${to - from}`);
  return values;
}

/** Years of a passage that are compared with each other. */
const MAX_YEARS = 40;
/** Words for a share of a whole, in any language. */
const SHARE =
  /%|(?<!\p{L})(?:half|halves|thirds?|quarters?|most|majority|per ?cent|one in|out of|halb\p{L}{0,3}|Hälfte|Drittel|Viertel|meist\p{L}{0,3}|Prozent|jede[rnsm]?|pół|poł\p{L}{0,6}|trzeci\p{L}{0,3}|czwart\p{L}{0,3}|większo\p{L}{0,4}|procent\p{L}{0,3}|moitié|tiers|quart|plupart|pour cent|mitad|tercios?|cuart[oa]s?|mayor\p{L}{0,3}|por ciento)(?!\p{L})/iu;

/** Returns the letters and digits of a text, without markup, footnote marks and spaces. */
export function lettersOf(text: string): string {
  return withoutNotes(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Returns whether a text states a claim: the figure in any notation, the quotation word for word, the name in any form.
 *
 * @param language language of the sentence; names of a passage in another language may differ in spelling
 */
export function states(indexed: IndexedText, claim: Claim, language: string | null): boolean {
  const { text, lower, values, tokens, words } = indexed;
  const [key = ''] = claim.keys;
  switch (claim.kind) {
    case 'number':
    case 'date':
      // "1 hour" is "an hour" in other words.
      return claim.keys.some((value) => value === '1' || values.has(value));
    case 'quote':
      return hasQuotation(key, lower) || (INFLECTING.test(text) && hasInflected(key, words));
    case 'name':
      if (occursIn(claim.text, text) || words.has(claim.text)) return true;
      return isForeign(indexed.language, language) && words.hasBeginning(claim.text);
    default:
      return tokens.has(`${claim.kind} ${key}`) || occursIn(claim.text, text) || occursIn(key, text);
  }
}

const isForeign = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b;

const INFLECTING = /[ąćęłńśźżěščřžůőű]/i;
const FEW_WORDS = 3;

/** Returns whether a short quotation is in the text with other endings, as Polish needs it inside a sentence. */
function hasInflected(quotation: string, words: KnownWords): boolean {
  const parts = quotation.match(/\p{L}+/gu) ?? [];
  return parts.length <= FEW_WORDS && parts.every((part) => words.has(part));
}

/**
 * Returns whether the passage contains a quotation word for word; an ellipsis may replace words between two
 * quoted parts.
 */
function hasQuotation(key: string, passage: string): boolean {
  const parts = plainQuotes(key)
    .replace(/\s+/g, ' ')
    .split(/ ?(?:\[?…\]?|\[?\.\.\.\]?) ?/)
    .filter((part) => part !== '');
  const plain = plainQuotes(passage);
  let from = 0;
  for (const part of parts) {
    const at = plain.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

const plainQuotes = (text: string): string => text.replace(/[’‘]/g, "'").replace(/[“”„»«]/g, '"');

/** Words of a text, found again in inflected forms (`Jana Kowalskiego`). */
export interface KnownWords {
  has(word: string): boolean;
  /** Whether a word of about the same length begins with the same three letters, as `Paryż` and `Paris` do. */
  hasBeginning(word: string): boolean;
}

const MAX_ENDING_LENGTH = 5;
/** Difference in length of two spellings of a name. */
const LIKE_LENGTH = 2;

/** Indexes the words of a text. */
export function knownWords(text: string): KnownWords {
  const byStart = new Map<string, Set<string>>();
  for (const word of text.match(/\p{L}{2,}/gu) ?? []) {
    const plain = folded(word);
    const start = plain.slice(0, 2);
    const words = byStart.get(start) ?? new Set();
    byStart.set(start, words.add(plain));
  }
  const hasPart = (part: string) => {
    const plain = folded(part);
    const stem = stemOf(plain);
    const words = byStart.get(plain.slice(0, 2)) ?? new Set<string>();
    if (words.has(plain)) return true;
    return [...words].some(
      (word) =>
        word.startsWith(stem) &&
        word.length - stem.length <= MAX_ENDING_LENGTH &&
        endsAlike(word, plain, stem),
    );
  };
  const hasBeginning = (name: string) => {
    const plain = folded(name);
    const start = plain.slice(0, 3);
    return [...(byStart.get(start.slice(0, 2)) ?? [])].some(
      (word) => word.startsWith(start) && Math.abs(word.length - plain.length) <= LIKE_LENGTH,
    );
  };
  return {
    hasBeginning,
    has: (name) =>
      name
        .split(/[-’'\s]/)
        .filter((part) => part.length > 1)
        .every(hasPart),
  };
}

/** The beginning of a word without its possible ending. */
const stemOf = (word: string): string =>
  word.length > 5 ? word.slice(0, Math.max(4, word.length - 3)) : word.slice(0, Math.max(3, word.length - 1));

/** Short words are alike only if what follows their common beginning is an ending. */
const endsAlike = (word: string, other: string, stem: string): boolean =>
  other.length > 5 || [word, other].every((form) => INFLECTION.test(form.slice(stem.length)));
const INFLECTION = /^(?:|s|es|a|u|e|y|i|o|k|owi|ie|iem|em|om|ami|ach|n|en|er|ego|emu|z|zi|zia|zie)$/u;

/** Returns the word in lower case without diacritics. */
const folded = (word: string): string =>
  word.toLowerCase().replaceAll('ł', 'l').normalize('NFD').replace(/\p{M}/gu, '');
