import { formsOf, type Habit } from '../forms.js';
import { settledForm } from '../fingerprint.js';
import { lexiconOf } from '../lexicon/languages.js';
import { fromCorpus, type Remark, type Review, type StyleRule } from './rule.js';

const NAMES: Record<Habit, string> = {
  quotation_marks: 'Quotation marks are',
  dash: 'The dash is',
  ellipsis: 'The ellipsis is',
  decimal_mark: 'The decimal mark is',
  thousands: 'The thousands separator is',
  date_format: 'The date is',
  heading_case: 'The heading is',
};

/** Marks alone are changed by these; figures, dates and headings are a person's to change. */
const SAFE = new Set<Habit>(['quotation_marks', 'dash', 'ellipsis']);

/** The form that a text should take: the corpus's, else the one that the text itself takes most, when there are several. */
function wantedForm({ corpus }: Review, habit: Habit, forms: { form: string }[]): string | null {
  const settled = settledForm(corpus, habit);
  if (settled !== null) return settled;
  const times = new Map<string, number>();
  for (const { form } of forms) times.set(form, (times.get(form) ?? 0) + 1);
  const [first, second] = [...times].sort((a, b) => b[1] - a[1]);
  return first && second && first[1] > second[1] ? first[0] : null;
}

/** Quotation marks, dashes, numbers, dates and headings that are not written as the corpus writes them. */
export const habits: StyleRule = (review) =>
  Object.entries(formsOf(review.prose, review.language)).flatMap(([name, forms]) => {
    const habit = name as Habit;
    const wanted = wantedForm(review, habit, forms);
    if (wanted === null) return [];
    const seen = review.corpus.habits[habit].find(({ form }) => form === wanted)?.times ?? 0;
    return forms
      .filter(({ form }) => form !== wanted)
      .map(({ start, end, form }): Remark => {
        const written = review.prose.text.slice(start, end);
        const suggestion = rewrite(habit, written, wanted, review);
        return {
          rule: habit,
          severity: 'warning',
          span: { start, end },
          message: `${NAMES[habit]} written ${show(form)} here, ${show(wanted)} ${seen > 0 ? 'in the corpus' : 'elsewhere in the text'}.`,
          ...(suggestion === null ? {} : { suggestion }),
          isSafe: SAFE.has(habit) && suggestion !== null,
          ...(seen > 0 ? { evidence: [fromCorpus(`${wanted} (${seen} times)`)] } : {}),
        };
      });
  });

const show = (form: string) => `"${form}"`;

function rewrite(habit: Habit, written: string, wanted: string, { language }: Review): string | null {
  switch (habit) {
    case 'quotation_marks':
      return wanted.charAt(0) + written.slice(1, -1) + wanted.at(-1)!;
    case 'dash':
    case 'ellipsis':
      return wanted;
    case 'decimal_mark':
      return wanted === '3,5' ? written.replace('.', ',') : written.replace(',', '.');
    case 'thousands':
      return grouped(written.replace(/\D/g, ''), wanted === '1,000' ? ',' : wanted === '1 000' ? ' ' : '');
    case 'date_format':
      return dateAs(written, wanted, lexiconOf(language).months);
    default:
      return null;
  }
}

const grouped = (digits: string, separator: string) => digits.replace(/\B(?=(?:\d{3})+$)/g, separator);

/** A date in another form; null when day and month cannot be told apart. */
function dateAs(written: string, wanted: string, months: readonly string[]): string | null {
  const date = readDate(written, months);
  if (!date) return null;
  const { year, month, day } = date;
  const two = (number: number) => String(number).padStart(2, '0');
  if (wanted === '2026-03-14') return `${year}-${two(month)}-${two(day)}`;
  if (wanted === '14.03.2026') return `${two(day)}.${two(month)}.${year}`;
  if (wanted === '14/03/2026') return `${two(day)}/${two(month)}/${year}`;
  const name = months[month - 1];
  return wanted.startsWith('14') ? `${day} ${name} ${year}` : `${name} ${day}, ${year}`;
}

function readDate(written: string, months: readonly string[]) {
  const numbers = written.match(/\d+/g)?.map(Number) ?? [];
  const [a = 0, b = 0, c = 0] = numbers;
  if (/^\d{4}-/.test(written)) return { year: a, month: b, day: c };
  if (numbers.length === 3)
    return b > 12 || (written.includes('/') && a <= 12 && b <= 12) ? null : { year: c, month: b, day: a };
  const month = months.findIndex((name) => written.toLowerCase().includes(name.toLowerCase())) + 1;
  return month === 0 ? null : { year: b, month, day: a };
}
