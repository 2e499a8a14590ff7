import { phrase } from '#contracts/phrases/phrase.js';
import { proseWords } from '../prose.js';
import { fromCorpus, type Remark, type StyleRule } from './rule.js';

/** Sentences and paragraphs up to these numbers of words are never too long, even if those in the corpus are shorter. */
const LONG_SENTENCE = 28;
const LONG_PARAGRAPH = 120;
/** Factor by which the 95th percentile of the corpus must be exceeded. */
const BEYOND = 1.3;

/** Finds sentences and paragraphs that are much longer than nearly all of the corpus. */
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
        message: phrase(`finding.overlong.${what}`, { words, usual }),
        evidence: [fromCorpus(phrase('evidence.at_most', { count: usual }))],
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
