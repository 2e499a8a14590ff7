import { lexiconOf, type StyleLanguage } from '../lexicon/languages.js';
import type { Lexicon } from '../lexicon/lexicon.js';
import type { Prose } from '../prose.js';
import { dates, times } from './dates.js';
import { inOrder, matches, type Form } from './form.js';
import { headingCases } from './headings.js';
import { decimals, percents, thousands } from './numbers.js';

/** Habits: choices between several forms. The forms are named by examples. */
export const habitNames = [
  'quotation_marks',
  'apostrophe',
  'dash',
  'ellipsis',
  'decimal_mark',
  'thousands',
  'percent',
  'date_format',
  'time_format',
  'heading_case',
  'contractions',
  'spelling_ise',
  'spelling_our',
] as const;
export type Habit = (typeof habitNames)[number];

/** Returns every place at which a text uses a form, by habit and in order. */
export function formsOf(prose: Prose, language: StyleLanguage): Record<Habit, Form[]> {
  const { own } = prose;
  const lexicon = lexiconOf(language);
  const atTimes = times(own);
  const timed = new Set(atTimes.map(({ start }) => start));
  return {
    quotation_marks: quotationMarks(prose),
    apostrophe: inOrder([
      ...matches(own, /(?<=\p{L})'(?=\p{L})/gu, "'"),
      ...matches(own, /(?<=\p{L})’(?=\p{L})/gu, '’'),
    ]),
    dash: dashes(prose),
    ellipsis: inOrder([...matches(own, /(?<!\.)\.\.\.(?!\.)/g, '...'), ...matches(own, /…/g, '…')]),
    decimal_mark: decimals(own, lexicon).filter(({ start }) => !timed.has(start)),
    thousands: thousands(own, lexicon),
    percent: percents(own),
    date_format: dates(own, lexicon),
    time_format: atTimes,
    heading_case: headingCases(prose),
    contractions: lexicon.contractions
      ? inOrder([
          ...matches(own, lexicon.contractions.short, "don't"),
          ...matches(own, lexicon.contractions.full, 'do not'),
        ])
      : [],
    spelling_ise: spelling(own, lexicon, 0),
    spelling_our: spelling(own, lexicon, 1),
  };
}

const quotationMarks = ({ quotations }: Prose): Form[] =>
  quotations.map(({ start, end, open, close }) => ({
    start: start - open.length,
    end: end + close.length,
    form: `${open}…${close}`,
  }));

/**
 * Finds dashes between words or quotations, with the surrounding spaces. Signs between numbers (a minus or
 * range) and next to code are excluded.
 */
function dashes({ text, own }: Prose): Form[] {
  const spaced = (mark: string, form: string) =>
    matches(own, new RegExp(` ${mark}(?: |\\n(?!\\s))`, 'gu'), form, ({ index, 0: whole }) => {
      const around = text.charAt(index - 1) + text.charAt(index + whole.length);
      return /^[^\s`|][^\s`]$/.test(around) && !/^\d[\d(]$/.test(around);
    });
  return inOrder([
    ...spaced('-', ' - '),
    ...spaced('--', ' -- '),
    ...spaced('–', ' – '),
    ...spaced('—', ' — '),
    ...matches(own, /(?<=\p{L})—(?=\p{L})/gu, '—'),
    ...matches(own, /(?<=\p{L})--(?=\p{L})/gu, '--'),
  ]);
}

function spelling(own: string, { spellings }: Lexicon, index: number): Form[] {
  return inOrder((spellings[index]?.ways ?? []).flatMap(({ form, words }) => matches(own, words, form)));
}
