import type { Span } from '#contracts/findings.js';
import { lexiconOf, type StyleLanguage } from './lexicon/languages.js';
import type { Prose } from './prose.js';

/** One place where a text takes one of several forms, such as a date written as `2026-03-14`. */
export interface Form extends Span {
  form: string;
}

/** What a text does in one of several ways; the ways are named by an example. */
export type Habit =
  'quotation_marks' | 'dash' | 'ellipsis' | 'decimal_mark' | 'thousands' | 'date_format' | 'heading_case';

const matches = (text: string, pattern: RegExp, form: string): Form[] =>
  Array.from(text.matchAll(pattern), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    form,
  }));

/** Every place at which a text takes a form, by habit, in order. */
export function formsOf(prose: Prose, language: StyleLanguage): Record<Habit, Form[]> {
  const inOrder = (forms: Form[]) => forms.sort((a, b) => a.start - b.start);
  const { own } = prose;
  return {
    quotation_marks: prose.quotations.map(({ start, end, open, close }) => ({
      start: start - 1,
      end: end + 1,
      form: `${open}…${close}`,
    })),
    dash: inOrder([
      ...matches(own, /(?<=\S) - (?=\S)/g, ' - '),
      ...matches(own, /(?<=\S) – (?=\S)/g, ' – '),
      ...matches(own, /(?<=\S) — (?=\S)/g, ' — '),
      ...matches(own, /(?<=\p{L})—(?=\p{L})/gu, '—'),
    ]),
    ellipsis: inOrder([...matches(own, /(?<!\.)\.\.\.(?!\.)/g, '...'), ...matches(own, /…/g, '…')]),
    decimal_mark: inOrder([
      ...matches(own, /(?<![\d.,])\d+\.\d{1,2}(?![\d.,]*\d)/g, '3.5'),
      ...matches(own, /(?<![\d.,])\d+,\d{1,2}(?![\d.,]*\d)/g, '3,5'),
    ]),
    thousands: inOrder([
      ...matches(own, /(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])/g, '1,000'),
      ...matches(own, /(?<![\d.,])\d{1,3}(?:[   ]\d{3})+(?!\d)/g, '1 000'),
      ...matches(own, /(?<![\d.,/-])(?!(?:1[5-9]|20)\d\d(?!\d))\d{4,9}(?![\d.,/-]*\d)/g, '1000'),
    ]),
    date_format: inOrder(datesOf(own, language)),
    heading_case: headingsOf(prose),
  };
}

function datesOf(own: string, language: StyleLanguage): Form[] {
  const months = lexiconOf(language).months.join('|');
  return [
    ...matches(own, /(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-])/g, '2026-03-14'),
    ...matches(own, /(?<![\d./])\d{1,2}\.\d{1,2}\.\d{4}(?!\d)/g, '14.03.2026'),
    ...matches(own, /(?<![\d./])\d{1,2}\/\d{1,2}\/\d{4}(?!\d)/g, '14/03/2026'),
    ...matches(
      own,
      new RegExp(`(?<!\\d)\\d{1,2} (?:${months}) \\d{4}(?!\\d)`, 'giu'),
      `14 ${lexiconOf(language).months[2]} 2026`,
    ),
    ...matches(own, new RegExp(`(?<!\\p{L})(?:${months}) \\d{1,2}, \\d{4}(?!\\d)`, 'gu'), 'March 14, 2026'),
  ];
}

const SMALL = /^(?:a|an|and|as|at|but|by|for|from|in|nor|of|on|or|the|to|with|vs)$/i;

/** Headings of three words or more by whether their later words begin with capitals. */
function headingsOf({ paragraphs, own }: Prose): Form[] {
  return paragraphs.flatMap(({ kind, start, end }): Form[] => {
    if (kind !== 'heading') return [];
    const words = (own.slice(start, end).match(/\p{L}[\p{L}'’-]*/gu) ?? [])
      .slice(1)
      .filter((word) => !SMALL.test(word));
    if (words.length < 2) return [];
    const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
    const form =
      capitals === words.length ? 'Title Case' : capitals <= words.length / 2 ? 'Sentence case' : null;
    return form === null ? [] : [{ start, end, form }];
  });
}
