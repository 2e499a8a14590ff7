import { lexiconOf, type StyleLanguage } from './lexicon/languages.js';
import { proseWords, type Prose } from './prose.js';
import type { Span } from '#contracts/findings.js';

/** A word or phrase of the author's prose in lower case, with its place. */
interface FoundWord extends Span {
  word: string;
}

const patterns = new Map<StyleLanguage, RegExp>();

function patternOf(language: StyleLanguage): RegExp {
  let pattern = patterns.get(language);
  if (!pattern) {
    const longestFirst = [...lexiconOf(language).connectives].sort((a, b) => b.length - a.length);
    const phrases = longestFirst.map((phrase) => phrase.replaceAll(' ', '\\s'));
    pattern = new RegExp(`(?<!\\p{L})(?:${phrases.join('|')})(?!\\p{L})`, 'giu');
    patterns.set(language, pattern);
  }
  return pattern;
}

/** Returns the connectives of a text, in order. Linear. */
export function connectivesIn({ own }: Prose, language: StyleLanguage): FoundWord[] {
  return Array.from(own.matchAll(patternOf(language)), (match) => ({
    word: match[0].toLowerCase().replace(/\s/g, ' '),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Measures of a text. Shares range from 0 to 1; `_per_1000` measures are per thousand words. */
export const measureNames = [
  'sentence_words',
  'sentence_words_spread',
  'paragraph_words',
  'word_letters',
  'vocabulary',
  'connectives_per_1000',
  'first_person_singular_per_1000',
  'first_person_plural_per_1000',
  'second_person_per_1000',
  'passive_share',
  'past_share',
  'commas_per_1000',
  'semicolons_per_1000',
  'exclamations_per_1000',
  'questions_share',
  'parentheses_per_1000',
] as const;
export type MeasureName = (typeof measureNames)[number];
export type Measures = Record<MeasureName, number>;

export const mean = (values: number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the standard deviation of a complete population. */
export function spread(values: number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

/** Returns the value below which a share of the values lies; 0 for an empty list. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Returns the number of words of each sentence, without quotations and code. */
export const sentenceLengths = ({ sentences, own }: Prose): number[] =>
  sentences.map(({ start, end }) => proseWords(own.slice(start, end)).length).filter((words) => words > 0);

/** Returns the number of words of each paragraph of running prose. */
export const paragraphLengths = ({ paragraphs, own }: Prose): number[] =>
  paragraphs
    .filter(({ kind }) => kind === 'paragraph')
    .map(({ start, end }) => proseWords(own.slice(start, end)).length)
    .filter((words) => words > 0);

/** Measures the style of one text. All values are 0 for a text without prose. */
export function measure(prose: Prose, language: StyleLanguage): Measures {
  const { own, sentences } = prose;
  const lexicon = lexiconOf(language);
  const words = proseWords(own).map((word) => word.toLowerCase());
  const lengths = sentenceLengths(prose);
  const per1000 = (occurrences: number) => (words.length === 0 ? 0 : (occurrences / words.length) * 1_000);
  const perSentence = (occurrences: number) =>
    sentences.length === 0 ? 0 : Math.min(1, occurrences / sentences.length);
  // Only the beginning of longer texts, because the share of new words falls with length.
  const sample = words.slice(0, 300);
  return {
    sentence_words: mean(lengths),
    sentence_words_spread: spread(lengths),
    paragraph_words: mean(paragraphLengths(prose)),
    word_letters: mean(words.map((word) => word.length)),
    vocabulary: sample.length === 0 ? 0 : new Set(sample).size / sample.length,
    connectives_per_1000: per1000(connectivesIn(prose, language).length),
    first_person_singular_per_1000: per1000(count(own, lexicon.firstSingular)),
    first_person_plural_per_1000: per1000(count(own, lexicon.firstPlural)),
    second_person_per_1000: per1000(count(own, lexicon.second)),
    passive_share: perSentence(count(own, lexicon.passive)),
    past_share: perSentence(count(own, lexicon.past)),
    commas_per_1000: per1000(count(own, /,(?!\d)/g)),
    semicolons_per_1000: per1000(count(own, /;/g)),
    exclamations_per_1000: per1000(count(own, /!(?!\[)/g)),
    questions_share: perSentence(sentences.filter(({ text }) => text.endsWith('?')).length),
    parentheses_per_1000: per1000(count(own, /\(/g)),
  };
}
