import { phrase } from '#contracts/phrases/phrase.js';
import type { Span } from '#contracts/findings.js';
import { type MeasureName, connectivesIn } from '../measures.js';
import { lexiconOf } from '../lexicon/languages.js';
import { proseWords } from '../prose.js';
import { fromCorpus, type Remark, type Review, type StyleRule } from './rule.js';

/** Minimum number of occurrences that can be too many. */
const MIN_OCCURRENCES = 3;
/** Probability, given the style of the corpus, below which a number of occurrences is reported. */
const UNLIKELY = 0.002;

type SurplusCode =
  `finding.surplus.${'passives' | 'connectives' | 'semicolons' | 'parentheses' | 'questions'}`;

interface Counted {
  measure: MeasureName;
  rule: string;
  what: SurplusCode;
  places: (review: Review) => Span[];
}

const spans = (text: string, pattern: RegExp): Span[] =>
  Array.from(text.matchAll(pattern), (match) => ({ start: match.index, end: match.index + match[0].length }));

const COUNTED: Counted[] = [
  {
    measure: 'passive_share',
    rule: 'passive',
    what: 'finding.surplus.passives',
    places: ({ prose, language }) =>
      prose.sentences.filter(
        ({ start, end }) => spans(prose.own.slice(start, end), lexiconOf(language).passive)[0],
      ),
  },
  {
    measure: 'connectives_per_1000',
    rule: 'connective',
    what: 'finding.surplus.connectives',
    // Connectives that the corpus also uses are allowed.
    places: ({ prose, language, corpus }) => {
      const known = new Set(corpus.connectives.map(({ word }) => word));
      return connectivesIn(prose, language).filter(({ word }) => !known.has(word));
    },
  },
  {
    measure: 'semicolons_per_1000',
    rule: 'semicolon',
    what: 'finding.surplus.semicolons',
    places: ({ prose }) => spans(prose.own, /(?<=[\p{L}\p{N})]);(?=\s)/gu),
  },
  {
    measure: 'parentheses_per_1000',
    rule: 'parenthesis',
    what: 'finding.surplus.parentheses',
    places: ({ prose }) => spans(prose.own, /\((?=\p{L})[^()\n]{1,300}\)/gu),
  },
  {
    measure: 'questions_share',
    rule: 'question',
    what: 'finding.surplus.questions',
    places: ({ prose }) => prose.sentences.filter(({ text }) => text.endsWith('?')),
  },
];

/**
 * Finds elements that a text has far more of than the corpus, with all their places: the number must be
 * unlikely in that style.
 */
export const surplus: StyleRule = (review) =>
  COUNTED.flatMap(({ measure, rule, what, places }) => {
    const found = places(review);
    const { mean, spread } = review.corpus.measures[measure];
    const isShare = measure.endsWith('_share');
    const size = isShare ? review.prose.sentences.length : proseWords(review.prose.own).length / 1_000;
    const corpusSize = isShare ? 1 : review.corpus.words / 1_000;
    // Half an occurrence more than observed, so that a small corpus without any does not forbid them.
    const usual = isShare ? mean + spread + 0.02 : mean + spread + 0.5 / Math.max(corpusSize, 0.1);
    if (found.length < MIN_OCCURRENCES || atLeast(found.length, usual * size) >= UNLIKELY) return [];
    const there = isShare
      ? phrase('evidence.of_sentences', { number: Math.round(mean * 100) })
      : phrase('evidence.of_words', { number: mean.toFixed(1) });
    const message = phrase(isShare ? 'finding.surplus.of_sentences' : 'finding.surplus.of_words', {
      what: phrase(what),
      found: found.length,
      size: isShare ? size : Math.round(size * 1_000),
      usual: isShare ? Math.round(mean * 100) : mean.toFixed(1),
    });
    return found.map(({ start, end }): Remark => ({
      rule,
      severity: 'info',
      span: { start, end },
      message,
      evidence: [fromCorpus(there)],
    }));
  });

/** Returns the probability of at least `count` occurrences where `expected` are expected (Poisson). */
function atLeast(count: number, expected: number): number {
  let term = Math.exp(-expected);
  let below = 0;
  for (let i = 0; i < count; i++) {
    below += term;
    term *= expected / (i + 1);
  }
  return Math.max(0, 1 - below);
}
