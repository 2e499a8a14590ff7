import { lexiconOf } from '../lexicon/languages.js';
import { fromCorpus, type Remark, type Review, type StyleRule } from './rule.js';

/** Occurrences per thousand words of the corpus below which something is not a habit. */
const RARE_PER_1000 = 0.5;
/** Minimum number of words in a corpus to conclude that it never does something. */
const ENOUGH_WORDS = 300;

const PERSONS = [
  ['first_person_singular_per_1000', 'firstSingular', 'the author speaks as "I" here'],
  ['first_person_plural_per_1000', 'firstPlural', 'the author speaks as "we" here'],
  ['second_person_per_1000', 'second', 'the reader is addressed here'],
] as const;

/** Finds exclamation marks, ellipses and grammatical persons that the corpus does not use. */
export const voice: StyleRule = (review) => {
  if (review.corpus.words < ENOUGH_WORDS) return [];
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
    message: 'The corpus does without exclamation marks.',
    suggestion: '.',
    evidence: [fromCorpus(`none in ${corpus.words} words`)],
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
      message: 'The corpus lets no sentence trail off.',
      evidence: [fromCorpus(`no ellipsis in ${corpus.words} words`)],
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
        message: `"${found}": ${what}; the corpus ${mean === 0 ? 'never does' : 'hardly ever does'}.`,
        evidence: [fromCorpus(`${mean.toFixed(1)} in a thousand words`)],
      },
    ];
  });
}
