import { lexiconOf } from '../lexicon/languages.js';
import { proseWords } from '../prose.js';
import { fromCorpus, type Remark, type StyleRule } from './rule.js';

/** Whatever the corpus does, fewer words than these make no sentence or paragraph too long. */
const LONG_SENTENCE = 28;
const LONG_PARAGRAPH = 120;
/** How much longer than nineteen of twenty in the corpus. */
const BEYOND = 1.3;
/** A habit that is rarer than once in this many words of the corpus is none. */
const RARE_PER_1000 = 0.5;

/** Sentences and paragraphs that are longer than the corpus ever makes them. */
export const lengths: StyleRule = ({ prose, corpus }) => {
  const limits = {
    sentence: Math.max(LONG_SENTENCE, corpus.longest.sentence_words * BEYOND),
    paragraph: Math.max(LONG_PARAGRAPH, corpus.longest.paragraph_words * BEYOND),
  };
  const remark = (what: 'sentence' | 'paragraph', start: number, end: number): Remark[] => {
    const words = proseWords(prose.own.slice(start, end)).length;
    if (words <= limits[what]) return [];
    const usual = Math.round(corpus.longest[`${what}_words`]);
    return [
      {
        rule: `overlong_${what}`,
        severity: 'warning',
        span: { start, end },
        message: `This ${what} has ${words} words; in the corpus nineteen of twenty have at most ${usual}.`,
        evidence: [fromCorpus(`at most ${usual} words`)],
      },
    ];
  };
  return [
    ...prose.sentences.flatMap(({ start, end }) => remark('sentence', start, end)),
    ...prose.paragraphs
      .filter(({ kind }) => kind === 'paragraph')
      .flatMap(({ start, end }) => remark('paragraph', start, end)),
  ];
};

/** Exclamation marks, and sentences of an author who says "I", in the voice of a corpus that has neither. */
export const voice: StyleRule = ({ prose, corpus, language }) => {
  const { measures } = corpus;
  const remarks: Remark[] = [];
  if (measures.exclamations_per_1000.mean < RARE_PER_1000)
    for (const match of prose.own.matchAll(/(?<=\p{L})!(?!\[)/gu))
      remarks.push({
        rule: 'exclamation',
        severity: 'info',
        span: { start: match.index, end: match.index + 1 },
        message: 'The corpus does without exclamation marks.',
        suggestion: '.',
      });
  if (measures.first_person_singular_per_1000.mean < RARE_PER_1000)
    for (const { start, end } of prose.sentences) {
      const found = prose.own.slice(start, end).match(lexiconOf(language).firstSingular)?.[0];
      if (found !== undefined)
        remarks.push({
          rule: 'person',
          severity: 'info',
          span: { start, end },
          message: `"${found}": the author speaks in the first person here; the corpus never does.`,
        });
    }
  return remarks;
};
