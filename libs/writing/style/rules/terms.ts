import { isCapitalized, startsSmall, withCapital } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Fingerprint } from '#contracts/style.js';
import {
  frequentNames,
  hasInnerCapital,
  looksLikeTerm,
  placedWords,
  termKey,
  type PlacedWord,
} from '../terms.js';
import { fromCorpus, type Remark, type Review, type StyleRule } from './rule.js';

/** Minimum occurrences of a term in the corpus before another spelling counts as an error. */
const OFTEN = 2;
/** Minimum length of a misspelt term: shorter words differ by one letter too easily. */
const MIN_LENGTH = 6;
/** Length from which a second wrong letter is tolerated. */
const LONG = 9;
/** Maximum number of different words that are compared with the terms letter by letter. */
const MAX_COMPARED = 5_000;
/** Number of final letters that inflection may change. */
const ENDING = 2;

type Known = Fingerprint['terms'][number];

/** Knowledge about words from the corpus and the text itself. */
interface Lookup {
  known: Known[];
  byKey: Map<string, Known>;
  byStart: Map<string, Known[]>;
  exact: Set<string>;
  /** Words that the corpus or the text writes in lower case. */
  common: Set<string>;
  /** The subset that the corpus writes in lower case. */
  vocabulary: Set<string>;
  /** Names that are frequent in the text: its own, which are not misspelt terms. */
  own: Set<string>;
}

/**
 * Finds names and terms that the corpus writes differently: other capitals or hyphens, as one word, or with
 * other letters.
 */
export const terms: StyleRule = (review) => {
  const lookup = lookupOf(review);
  const words = placedWords(review.prose);
  const slips = new Map<string, Known | null>();
  return words.flatMap((word, index): Remark[] => {
    const joined = joinedTerm(review, words.slice(index, index + 3), lookup);
    if (joined) return [joined];
    if (lookup.exact.has(word.word)) return [];
    const variant = variantOf(word, lookup, review);
    if (variant) return [remark(word, variant, 'finding.term.written')];
    if (!slips.has(word.word))
      slips.set(
        word.word,
        slips.size < MAX_COMPARED ? misspeltTerm(word, lookup, review.corpus.language) : null,
      );
    const misspelt = slips.get(word.word);
    return misspelt ? [remark(word, misspelt, 'finding.term.spelled')] : [];
  });
};

function lookupOf({ prose, corpus }: Review): Lookup {
  const known = corpus.terms.filter(({ times }) => times >= OFTEN);
  const byStart = new Map<string, Known[]>();
  for (const one of known.filter(({ term }) => !term.includes(' '))) {
    const start = one.term.charAt(0).toLowerCase();
    byStart.set(start, [...(byStart.get(start) ?? []), one]);
  }
  const times = new Map<string, number>();
  const vocabulary = new Set(corpus.vocabulary.map(({ word }) => word));
  const common = new Set(vocabulary);
  for (const { word } of placedWords(prose)) {
    times.set(word, (times.get(word) ?? 0) + 1);
    if (startsSmall(word)) common.add(word);
  }
  const names = frequentNames(prose);
  return {
    known,
    byKey: new Map([...known].reverse().map((one) => [termKey(one.term), one])),
    byStart,
    exact: new Set(corpus.terms.map(({ term }) => term)),
    common,
    vocabulary,
    own: new Set([...times].filter(([word, count]) => count >= 4 && names.has(word)).map(([word]) => word)),
  };
}

function remark(
  span: { word: string; start: number; end: number },
  { term, times }: Known,
  code: 'finding.term.written' | 'finding.term.spelled',
): Remark {
  return {
    rule: 'term_spelling',
    severity: 'warning',
    span: { start: span.start, end: span.end },
    message: phrase(code, { word: span.word, term }),
    suggestion: term,
    evidence: [fromCorpus(phrase('evidence.times', { text: term, count: times }))],
  };
}

/** Finds a term that the text writes as several words, or a name of several words with other capitals. */
function joinedTerm({ prose, corpus }: Review, words: PlacedWord[], { byKey }: Lookup): Remark | null {
  const [first] = words as [PlacedWord];
  for (const length of [3, 2]) {
    const last = words[length - 1];
    if (!last) continue;
    const word = prose.own.slice(first.start, last.end);
    const found = word.length > 60 || /[^\p{L}\p{M}'’ -]/u.test(word) ? undefined : byKey.get(termKey(word));
    if (!found || found.term === word || found.term.length < MIN_LENGTH) continue;
    // "Open source" instead of "open-source" is a matter of grammar.
    if (found.term.includes('-') && corpus.language === 'en') continue;
    // Skip capitalized headings, and lower-case words that match a name of several words.
    if (first.inHeading && word.toLowerCase() !== word && !found.term.includes(' ')) continue;
    if (found.term.includes(' ') && !isCapitalized(word)) continue;
    return remark({ word, start: first.start, end: last.end }, found, 'finding.term.written');
  }
  return null;
}

/** Finds the corpus's spelling of the same letters; a capital required by the position is not a variant. */
function variantOf(
  { word, isFirst, inHeading }: PlacedWord,
  { byKey, vocabulary }: Lookup,
  { corpus }: Review,
): Known | null {
  const found = byKey.get(termKey(word));
  if (!found || found.term === word || word.length < 4) return null;
  const capital = withCapital(found.term);
  if ((isFirst || inHeading) && word === capital) return null;
  if (inHeading && word.toLowerCase() === found.term) return null;
  // A plain word that is part of a name, or starts one, is also a common word: "leadership", "Leadership
  // Council".
  const isPlain = /^\p{Lu}[\p{Ll}]+$/u.test(found.term);
  if (isPlain && word === found.term.toLowerCase()) {
    const isName = found.alone >= 3 && found.alone === found.times && !isInflected(word, corpus.language);
    return isName && !vocabulary.has(word) ? found : null;
  }
  if (isPlain && word === word.toUpperCase()) return null;
  return vocabulary.has(word) ? null : found;
}

/** Returns whether a word is a Polish adjective derived from a name, which is written in lower case. */
const isInflected = (word: string, language: string): boolean =>
  language === 'pl' && /(?:sk|ck|dzk)(?:[aie]|ie|iego|iej|iemu|im|ich|imi|ą|o)$/u.test(word);

/**
 * Finds a term of the corpus that differs from the word by one or two letters, but not only in its ending.
 */
function misspeltTerm(
  { word }: PlacedWord,
  { byStart, common, own }: Lookup,
  language: Fingerprint['language'],
): Known | null {
  if (word.length < MIN_LENGTH - 1 || !looksLikeTerm(word) || own.has(word)) return null;
  if (common.has(word.toLowerCase())) return null;
  const alike = byStart.get(word.charAt(0).toLowerCase()) ?? [];
  return alike.find(({ term }) => isSlipOf(word, term, language) || isShortened(word, term)) ?? null;
}

function isSlipOf(word: string, term: string, language: Fingerprint['language']): boolean {
  if (word === term || Math.abs(word.length - term.length) > 2) return false;
  const start = commonStart(word, term);
  // Inflection, or another word with the same beginning.
  const isInflection =
    language === 'pl'
      ? start >= Math.min(word.length, term.length) - ENDING
      : /^(?:['’]?s|es|ed|er|n|an|y|ly|ing)?$/.test(word.slice(term.length)) && word.startsWith(term);
  if (isInflection || term === withoutS(word) || word === withoutS(term)) return false;
  if (term.length < MIN_LENGTH) return term.length === MIN_LENGTH - 1 && isSwapped(word, term, start);
  return distance(word, term) <= (term.length >= LONG ? 2 : 1);
}

/** Returns whether two adjacent letters are swapped; the result is rarely another word, however short. */
const isSwapped = (a: string, b: string, at: number): boolean =>
  a.length === b.length && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);

/** Returns whether a word is the start of a term with an inner capital: "Postgres" of "PostgreSQL". */
function isShortened(word: string, term: string): boolean {
  return (
    hasInnerCapital(term) &&
    word.length >= term.length * 0.6 &&
    word.length < term.length &&
    term.toLowerCase().startsWith(word.toLowerCase())
  );
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/**
 * Returns the edit distance (insertions, deletions, changes, swaps of neighbours) of two words of at most
 * some dozen letters.
 */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

const withoutS = (word: string): string => word.replace(/['’]?s$/, '');
