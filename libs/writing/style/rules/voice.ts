import { phrase } from '#contracts/phrases/phrase.js';
import { lexiconOf } from '../lexicon/languages.js';
import { fromCorpus, type Remark, type Review, type StyleRule } from './rule.js';

/** Occurrences per thousand words of the corpus below which something is not a habit. */
const RARE_PER_1000 = 0.5;
/** Minimum number of words in a corpus to conclude that it never does something. */
const MIN_CORPUS_WORDS = 300;

const PERSONS = [
  ['first_person_singular_per_1000', 'firstSingular', 'finding.person.i'],
  ['first_person_plural_per_1000', 'firstPlural', 'finding.person.we'],
  ['second_person_per_1000', 'second', 'finding.person.you'],
] as const;

/** Finds exclamation marks, ellipses and grammatical persons that the corpus does not use. */
export const voice: StyleRule = (review) => {
  if (review.corpus.words < MIN_CORPUS_WORDS) return [];
  return [
    ...exclamations(review),
    ...ellipses(review),
    ...PERSONS.flatMap((person) => persons(review, person)),
  ];
};

function exclamations({ prose, corpus }: Review): Remark[] {
  if (corpus.measures.exclamations_per_1000.mean >= RARE_PER_1000) return [];
  return Array.from(prose.own.matchAll(/(?<=[\p{L}\p{N}"”“»)])!(?!\[)/gu), ({ index }) => ({
    rule: 'exclamation',
    severity: 'info',
    span: { start: index, end: index + 1 },
    message: phrase('finding.exclamation'),
    suggestion: '.',
    evidence: [fromCorpus(phrase('evidence.none', { count: corpus.words }))],
  }));
}

function ellipses({ prose, corpus }: Review): Remark[] {
  if (corpus.habits.ellipsis.length > 0) return [];
  return Array.from(
    prose.own.matchAll(/(?<=[\p{L}\p{N}"”“»)])(?:\.\.\.|…)/gu),
    ({ index, 0: { length } }) => ({
      rule: 'ellipsis',
      severity: 'info',
      span: { start: index, end: index + length },
      message: phrase('finding.ellipsis'),
      evidence: [fromCorpus(phrase('evidence.no_ellipsis', { count: corpus.words }))],
    }),
  );
}

function persons(
  { prose, corpus, language }: Review,
  [measure, forms, what]: (typeof PERSONS)[number],
): Remark[] {
  const { mean } = corpus.measures[measure];
  if (mean >= RARE_PER_1000) return [];
  const pattern = lexiconOf(language)[forms];
  return prose.sentences.flatMap(({ start, end }): Remark[] => {
    const found = prose.own.slice(start, end).match(pattern)?.[0];
    if (found === undefined) return [];
    return [
      {
        rule: 'person',
        severity: 'info',
        span: { start, end },
        message: phrase(mean === 0 ? 'finding.person.never' : 'finding.person.rarely', {
          found,
          what: phrase(what),
        }),
        evidence: [fromCorpus(phrase('evidence.of_words', { number: mean.toFixed(1) }))],
      },
    ];
  });
}
