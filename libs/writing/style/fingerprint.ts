import type { Fingerprint } from '#contracts/style.js';
import { formsOf, habitNames, type Habit } from './forms/forms.js';
import {
  mean,
  measure,
  measureNames,
  paragraphLengths,
  quantile,
  sentenceLengths,
  spread,
  type Measures,
  connectivesIn,
} from './measures.js';
import { styleLanguageOf, type StyleLanguage } from './lexicon/languages.js';
import { proseWords, readProse, type Prose } from './prose.js';
import { termsOf, vocabularyOf } from './terms.js';

/** A text of a style corpus. */
export interface StyleText {
  title: string;
  text: string;
}

const OPENINGS = 10;
const OPENING_LENGTH = 200;

/**
 * Computes the fingerprint of a corpus (A9) as measures and habits that people can read: lengths, vocabulary,
 * connectives, person and tense, passive share, punctuation, quotation marks, forms of numbers and dates,
 * case of headings, terms, openings and closings. Texts in other languages are left out and counted.
 *
 * @param requestedLanguage language, by default the language of most texts
 */
export function fingerprintOf(texts: StyleText[], requestedLanguage?: StyleLanguage): Fingerprint {
  const language = requestedLanguage ?? styleLanguageOf(texts.map(({ text }) => text).join('\n'));
  const read = texts.map(({ title, text }) => ({ title, prose: readProse(text) }));
  const own = read.filter(({ prose }) => styleLanguageOf(prose.text) === language);
  const proses = own.map(({ prose }) => prose);
  const sentences = proses.flatMap(sentenceLengths);
  const paragraphs = proses.flatMap(paragraphLengths);
  return {
    language,
    texts: own.length,
    left_out: read.length - own.length,
    words: proses.reduce((sum, prose) => sum + proseWords(prose.own).length, 0),
    measures: summaryOf(proses.map((prose) => measure(prose, language))),
    longest: { sentence_words: quantile(sentences, 0.95), paragraph_words: quantile(paragraphs, 0.95) },
    habits: habitsOf(proses, language),
    headings: headingsOf(proses),
    connectives: connectivesOf(proses, language),
    vocabulary: vocabularyOf(proses),
    terms: termsOf(proses),
    openings: edges(proses, 0),
    closings: edges(proses, -1),
  };
}

const edges = (proses: Prose[], end: 0 | -1): string[] =>
  proses
    .flatMap(({ sentences }) => sentences.at(end)?.text.slice(0, OPENING_LENGTH) ?? [])
    .slice(0, OPENINGS);

function headingsOf(proses: Prose[]): Fingerprint['headings'] {
  const levels = proses
    .map(({ paragraphs }) => paragraphs.filter(({ kind }) => kind === 'heading').map(({ level }) => level))
    .filter((one) => one.length > 0);
  const first = new Set(levels.map((one) => one[0]!));
  return {
    first_level: first.size === 1 ? [...first][0]! : null,
    single_title: levels.length > 0 && levels.every((one) => one.filter((level) => level === 1).length <= 1),
  };
}

function connectivesOf(proses: Prose[], language: StyleLanguage): Fingerprint['connectives'] {
  const counts = new Map<string, number>();
  for (const prose of proses)
    for (const { word } of connectivesIn(prose, language)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, times]) => ({ word, times })).sort((a, b) => b.times - a.times);
}

function summaryOf(measured: Measures[]): Fingerprint['measures'] {
  const summary = measureNames.map((name) => {
    const values = measured.map((one) => one[name]);
    return [name, { mean: mean(values), spread: spread(values) }] as const;
  });
  return Object.fromEntries(summary) as Fingerprint['measures'];
}

function habitsOf(proses: Prose[], language: StyleLanguage): Fingerprint['habits'] {
  const all = proses.map((prose) => formsOf(prose, language));
  const entries = habitNames.map((habit) => {
    const counted = new Map<string, number>();
    for (const { form } of all.flatMap((forms) => forms[habit]))
      counted.set(form, (counted.get(form) ?? 0) + 1);
    const forms = [...counted].map(([form, times]) => ({ form, times }));
    return [habit, forms.sort((a, b) => b.times - a.times)];
  });
  return Object.fromEntries(entries) as Fingerprint['habits'];
}

/**
 * Returns the form that a corpus nearly always uses, if it is frequent enough to be a habit; otherwise null.
 */
export function settledForm(fingerprint: Fingerprint, habit: Habit): string | null {
  const forms = fingerprint.habits[habit];
  const all = forms.reduce((sum, { times }) => sum + times, 0);
  const first = forms[0];
  return first && first.times >= 2 && first.times / all >= 0.75 ? first.form : null;
}
