import { isCapitalized, startsLikeName } from '#contracts/text.js';
import { lexiconOf, type StyleLanguage } from '../lexicon/languages.js';
import type { Lexicon } from '../lexicon/lexicon.js';
import type { Prose } from '../prose.js';
import { dates, type Form, inOrder, matches, times } from './dates.js';
import { frequentNames, hasInnerCapital, smallWords } from '../terms.js';

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

const SMALL = new Set(
  'a an and as at but by for from in into nor of on or over the to with vs via per i w z na do dla od po przed oraz lub się nie jak o u ze we'.split(
    ' ',
  ),
);
const WORD = /\p{L}[\p{L}\p{M}'’-]*/gu;

/**
 * Classifies headings by the capitalization of their later words. Names are ignored, because they are always
 * capitalized.
 */
function headingCases(prose: Prose): Form[] {
  const { paragraphs, own } = prose;
  const names = frequentNames(prose);
  const small = smallWords(prose);
  return paragraphs.flatMap(({ kind, start, end }): Form[] => {
    if (kind !== 'heading') return [];
    const line = own.slice(start, end);
    const all = line.match(WORD) ?? [];
    const long = all.filter((word) => word.length > 1);
    if (long.length >= 2 && long.every((word) => word === word.toUpperCase() && word !== word.toLowerCase()))
      return [{ start, end, form: 'ALL CAPITALS' }];
    // Ignore a capital after a colon or dash, where a new phrase starts.
    const behind = line
      .replace(/([:–—?!.]\s{1,3})\p{L}[\p{L}\p{M}'’-]*/gu, '$1')
      .match(WORD)
      ?.slice(1);
    // A capitalized "Of" means that every word is capitalized; "I" alone may be the pronoun.
    if (behind?.some((word) => SMALL.has(word.toLowerCase()) && startsLikeName(word)))
      return [{ start, end, form: 'Title Case' }];
    const later = behind?.filter(
      (word) => !SMALL.has(word.toLowerCase()) && !hasInnerCapital(word) && !names.has(word),
    );
    if (!later || later.length === 0) return [];
    const capitals = later.filter((word) => isCapitalized(word)).length;
    // A single capitalized word may be a name that occurs nowhere else.
    if (capitals === 1 && later.length === 1 && !small.has(later[0]!.toLowerCase())) return [];
    if (capitals === later.length) return [{ start, end, form: 'Title Case' }];
    return capitals * 2 <= later.length ? [{ start, end, form: 'Sentence case' }] : [];
  });
}

/** Number of characters before a number that are searched for a word that makes it a code. */
const BEFORE = 24;

/**
 * Returns whether a preceding name makes a number a version or code: `Python 3.11`, `RFC 9457`, `port 5432`.
 */
function isCode(own: string, at: number, lexicon: Lexicon): boolean {
  const before = own.slice(Math.max(0, at - BEFORE), at);
  if (lexicon.label.test(before)) return true;
  const word = /(^|[.!?:\n]\s{0,3}|\s|\()([\p{L}\d.+-]{1,20})[  ]$/u.exec(before);
  if (!word) return /[\p{L}#§_/-]$/u.test(before);
  const isFirst = /[.!?:\n]/.test(word[1]!) || at - before.length + word.index === 0;
  return hasInnerCapital(word[2]!) || (!isFirst && startsLikeName(word[2]!));
}

/** Finds decimal marks: `3.5`, `3,5`. */
function decimals(own: string, lexicon: Lexicon): Form[] {
  const isMeasure = ({ index, 0: { length } }: RegExpExecArray) =>
    !isCode(own, index, lexicon) && !/^[\p{L}_/-]/u.test(own.slice(index + length));
  const written = /(?<![\p{L}\d.,:/_-])(?:0[.,]\d{1,9}|\d{1,9}[.,]\d{1,2})(?![.,:/]?\d)/gu;
  return matches(own, written, '3.5', isMeasure).map((form) =>
    own.slice(form.start, form.end).includes(',') ? { ...form, form: '3,5' } : form,
  );
}

/** Finds thousands separators: `1,000`, `1 000`, `1.000`, or none: `1000`. Years and codes are excluded. */
function thousands(own: string, lexicon: Lexicon): Form[] {
  const isQuantity = ({ index }: RegExpExecArray) => !isCode(own, index, lexicon);
  return inOrder([
    ...matches(own, /(?<![\p{L}\d.,_-])[1-9]\d{0,2}(?:,\d{3}){1,5}(?![\d,])/gu, '1,000', isQuantity),
    ...matches(own, /(?<![\p{L}\d.,_-])[1-9]\d{0,2}(?:[   ]\d{3}){1,5}(?!\d)/gu, '1 000', isQuantity),
    ...matches(own, /(?<![\p{L}\d.,_-])[1-9]\d{0,2}(?:\.\d{3}){1,5}(?![\d.])/gu, '1.000', isQuantity),
    ...matches(own, /(?<![\p{L}\d.,_-])[1-9]\d{0,2}(?:['’]\d{3}){1,5}(?!\d)/gu, "1'000", isQuantity),
    ...matches(
      own,
      /(?<![\p{L}\d.,:/#_-])(?!(?:1[5-9]|20)\d\d(?!\d))[1-9]\d{3,8}(?![\p{L}\d_/-]|[.,:]\d)/gu,
      '1000',
      isQuantity,
    ),
  ]);
}

/** Finds percentages: `5%`, `5 %`, `5 percent`. */
function percents(own: string): Form[] {
  return inOrder([
    ...matches(own, /\d%/g, '5%'),
    ...matches(own, /\d[   ]%/g, '5 %'),
    ...matches(own, /\d percent(?!\p{L})/giu, '5 percent'),
    ...matches(own, /\d per cent(?!\p{L})/giu, '5 per cent'),
    ...matches(own, /\d proc\.|\d procent(?:a|y|ów)?(?!\p{L})/giu, '5 procent'),
  ]);
}
