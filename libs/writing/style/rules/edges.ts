import { phrase } from '#contracts/phrases/phrase.js';
import { lexiconOf } from '../lexicon/languages.js';
import { fromCorpus, type Remark, type Review, type StyleRule } from './rule.js';
import { proseWords } from '../prose.js';

/** Minimum number of texts in a corpus to judge openings and closings. */
const MIN_CORPUS_TEXTS = 3;

/** Finds openings and closings that no text of the corpus has: stock phrases and questions. */
export const edges: StyleRule = (review) => {
  const { prose, corpus, language } = review;
  if (corpus.texts < MIN_CORPUS_TEXTS) return [];
  const { stockOpening, stockClosing } = lexiconOf(language);
  const first = prose.sentences[0];
  const last = prose.paragraphs.filter(({ kind }) => kind === 'paragraph').at(-1);
  const lastSentence = prose.sentences.findLast(({ paragraph }) => paragraph === last);
  return [
    ...(first ? stock(review, 'opening', first.start, stockOpening, corpus.openings) : []),
    ...(first ? question('opening', first, corpus.openings) : []),
    ...(last && last.start > (first?.start ?? 0)
      ? stock(review, 'closing', last.start, stockClosing, corpus.closings)
      : []),
    ...(lastSentence && lastSentence !== first ? question('closing', lastSentence, corpus.closings) : []),
  ];
};

function stock(
  { prose }: Review,
  rule: 'opening' | 'closing',
  start: number,
  pattern: RegExp,
  corpus: string[],
): Remark[] {
  const found = pattern.exec(prose.text.slice(start, start + 80))?.[0].trimEnd();
  if (found === undefined || corpus.some((one) => pattern.test(one))) return [];
  return [
    {
      rule,
      severity: 'info',
      span: { start, end: start + found.length },
      message: phrase(`finding.${rule}.stock`, { found }),
      evidence: corpus.slice(0, 1).map((text) => fromCorpus(text)),
    },
  ];
}

function question(
  rule: 'opening' | 'closing',
  { text, start, end }: { text: string; start: number; end: number },
  corpus: string[],
): Remark[] {
  if (!text.endsWith('?') || corpus.some((one) => one.endsWith('?'))) return [];
  return [
    {
      rule,
      severity: 'info',
      span: { start, end },
      message: phrase(`finding.${rule}.question`),
      evidence: corpus.slice(0, 1).map((text) => fromCorpus(text)),
    },
  ];
}

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
