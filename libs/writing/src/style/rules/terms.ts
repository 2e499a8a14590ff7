import type { Prose } from '../prose.js';
import { looksLikeTerm, placedWords, termKey, type PlacedWord } from '../terms.js';
import { fromCorpus, type Remark, type StyleRule } from './rule.js';

/** A term has to stand so often in the corpus before another spelling of it counts as a slip. */
const OFTEN = 2;
/** Shorter words differ by a letter too easily. */
const MIN_LENGTH = 5;
/** Letters at the end that inflection may change. */
const ENDING = 2;

interface Known {
  term: string;
  times: number;
}

/** Names and terms that the corpus writes in another way: other capitals or hyphens, or a letter that is wrong, missing or too many. */
export const terms: StyleRule = ({ prose, corpus }) => {
  const known = corpus.terms.filter(({ times }) => times >= OFTEN);
  const exact = new Set(corpus.terms.map(({ term }) => term));
  const byKey = new Map(known.map((one) => [termKey(one.term), one]));
  const own = frequentIn(prose);
  return placedWords(prose).flatMap((word): Remark[] => {
    if (exact.has(word.word)) return [];
    const variant = variantOf(word, byKey);
    if (variant) return [remark(word, variant, 'is written')];
    const misspelt = own.has(word.word) ? null : misspeltTerm(word, known);
    return misspelt ? [remark(word, misspelt, 'is spelt')] : [];
  });
};

function remark({ word, start, end }: PlacedWord, { term, times }: Known, how: string): Remark {
  return {
    rule: 'term_spelling',
    severity: 'warning',
    span: { start, end },
    message: `"${word}" ${how} "${term}" in the corpus.`,
    suggestion: term,
    evidence: [fromCorpus(`${term} (${times} times)`)],
  };
}

/** The corpus's way of writing the same letters; a capital that a sentence asks for is no other way. */
function variantOf({ word, isFirst }: PlacedWord, byKey: Map<string, Known>): Known | null {
  const found = byKey.get(termKey(word));
  if (!found || found.term === word || word.length < 4) return null;
  const capital = found.term.charAt(0).toUpperCase() + found.term.slice(1);
  return isFirst && word === capital ? null : found;
}

/** A term of the corpus that the word is one letter away from, not by its ending. */
function misspeltTerm({ word, isFirst }: PlacedWord, known: Known[]): Known | null {
  if (word.length < MIN_LENGTH || isFirst || !looksLikeTerm(word)) return null;
  return (
    known.find(
      ({ term }) =>
        term.length >= MIN_LENGTH &&
        term.charAt(0) === word.charAt(0) &&
        isOneLetterAway(word, term) &&
        commonStart(word, term) < Math.min(word.length, term.length) - ENDING,
    ) ?? null
  );
}

/** Words that the text itself uses often: a name of its own, whatever it resembles. */
function frequentIn(prose: Prose): Set<string> {
  const times = new Map<string, number>();
  for (const { word } of placedWords(prose)) times.set(word, (times.get(word) ?? 0) + 1);
  return new Set([...times].filter(([, count]) => count >= 3).map(([word]) => word));
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** Whether two words differ by one letter put in, left out or changed, or by two neighbours that changed places. */
function isOneLetterAway(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  const start = commonStart(a, b);
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (a.length > b.length) return restA.slice(1) === restB;
  if (a.length < b.length) return restA === restB.slice(1);
  if (restA.slice(1) === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}
