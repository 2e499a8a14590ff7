import type { Fingerprint } from '#contracts/style.js';
import { formsOf, type Habit } from './forms.js';
import { styleLanguageOf, type StyleLanguage } from './lexicon/languages.js';
import {
  mean,
  measure,
  measureNames,
  paragraphLengths,
  quantile,
  sentenceLengths,
  spread,
  type Measures,
} from './measures.js';
import { readProse, type Prose } from './prose.js';
import { termsOf } from './terms.js';

/** A text of a style corpus. */
export interface StyleText {
  title: string;
  text: string;
}

const OPENINGS = 10;
const OPENING_LENGTH = 200;

/**
 * How a corpus is written (A9), as figures and habits that a person can read: lengths, vocabulary, connectives, person and tense,
 * passive share, punctuation, quotation marks, forms of numbers and dates, case of headings, terms, openings and closings. Texts in
 * another language than most are left out and counted.
 */
export function fingerprintOf(texts: StyleText[]): Fingerprint {
  const language = styleLanguageOf(texts.map(({ text }) => text).join('\n'));
  const read = texts.map(({ title, text }) => ({ title, prose: readProse(text) }));
  const own = read.filter(({ prose }) => styleLanguageOf(prose.text) === language);
  const measured = own.map(({ prose }) => measure(prose, language));
  const sentences = own.flatMap(({ prose }) => sentenceLengths(prose));
  const paragraphs = own.flatMap(({ prose }) => paragraphLengths(prose));
  const edge = (end: 0 | -1) =>
    own
      .flatMap(({ prose }) => prose.sentences.at(end)?.text.slice(0, OPENING_LENGTH) ?? [])
      .slice(0, OPENINGS);
  return {
    language,
    texts: own.length,
    left_out: read.length - own.length,
    measures: summaryOf(measured),
    longest: { sentence_words: quantile(sentences, 0.95), paragraph_words: quantile(paragraphs, 0.95) },
    habits: habitsOf(
      own.map(({ prose }) => prose),
      language,
    ),
    terms: termsOf(own.map(({ prose }) => prose)),
    openings: edge(0),
    closings: edge(-1),
  };
}

function summaryOf(measured: Measures[]): Fingerprint['measures'] {
  const summary = measureNames.map((name) => {
    const values = measured.map((one) => one[name]);
    return [name, { mean: mean(values), spread: spread(values) }] as const;
  });
  return Object.fromEntries(summary) as Fingerprint['measures'];
}

function habitsOf(proses: Prose[], language: StyleLanguage): Fingerprint['habits'] {
  const counts = new Map<string, Map<string, number>>();
  for (const prose of proses)
    for (const [habit, forms] of Object.entries(formsOf(prose, language))) {
      const counted = counts.get(habit) ?? new Map<string, number>();
      counts.set(habit, counted);
      for (const { form } of forms) counted.set(form, (counted.get(form) ?? 0) + 1);
    }
  return Object.fromEntries(
    [...counts].map(([habit, counted]) => [
      habit,
      [...counted].map(([form, times]) => ({ form, times })).sort((a, b) => b.times - a.times),
    ]),
  ) as Fingerprint['habits'];
}

/** The form that a corpus takes nearly always, seen often enough to be a habit; null when it has none. */
export function settledForm(fingerprint: Fingerprint, habit: Habit): string | null {
  const forms = fingerprint.habits[habit];
  const all = forms.reduce((sum, { times }) => sum + times, 0);
  const first = forms[0];
  return first && first.times >= 2 && first.times / all >= 0.75 ? first.form : null;
}
