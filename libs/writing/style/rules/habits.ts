import type { Detail } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { settledForm } from '../fingerprint.js';
import { type Form, readDate, writeDate } from '../forms/dates.js';
import { formsOf, habitNames, type Habit } from '../forms/forms.js';
import { lexiconOf } from '../lexicon/languages.js';
import { fromCorpus, type Remark, type Review, type StyleRule } from './rule.js';

/**
 * Habits that are corrected automatically: they change only marks. Figures, dates, words and headings are
 * left to a person.
 */
const SAFE = new Set<Habit>(['quotation_marks', 'apostrophe', 'dash', 'ellipsis']);
/** Forms that are acceptable even if the corpus prefers another. */
const NEVER_WRONG = new Set(['do not']);
/** Habits that are judged only by the corpus, because a single text may have both forms. */
const CORPUS_ONLY = new Set<Habit>(['contractions', 'percent']);

interface PreferredForm {
  form: string;
  /** Occurrences in the corpus; 0 if only the text itself supports the form. */
  seen: number;
}

/**
 * Returns the form that a text should use: the corpus's form, otherwise the most frequent form of the text, or the
 * first one among equals. Returns null if no form is preferred.
 */
function wantedForm({ corpus }: Review, habit: Habit, forms: Form[]): PreferredForm | null {
  const settled = settledForm(corpus, habit);
  if (settled !== null)
    return { form: settled, seen: corpus.habits[habit].find(({ form }) => form === settled)!.times };
  // If the corpus has several forms, a text may too.
  if (CORPUS_ONLY.has(habit) || corpus.habits[habit].length > 1) return null;
  const times = new Map<string, number>();
  for (const { form } of forms) times.set(form, (times.get(form) ?? 0) + 1);
  if (times.size < 2) return null;
  return { form: [...times].reduce((best, one) => (one[1] > best[1] ? one : best))[0], seen: 0 };
}

/**
 * Finds marks, numbers, dates, spellings and headings in another form than in the corpus or, failing that, in
 * the rest of the text.
 */
export const habits: StyleRule = (review) => {
  const forms = formsOf(review.prose, review.language);
  return habitNames.flatMap((habit) => {
    const target = wantedForm(review, habit, forms[habit]);
    if (target === null) return [];
    return forms[habit]
      .filter(({ form }) => form !== target.form && !NEVER_WRONG.has(form))
      .map((form) => remarkOf(review, habit, form, target));
  });
};

function remarkOf(
  review: Review,
  habit: Habit,
  { start, end, form }: Form,
  preferred: PreferredForm,
): Remark {
  const suggestion = rewrite(habit, review.prose.text.slice(start, end), preferred.form, review);
  return {
    rule: habit,
    severity: 'warning',
    span: { start, end },
    message: messageOf(habit, review.prose.text.slice(start, end), form, preferred),
    ...(suggestion === null ? {} : { suggestion }),
    isSafe: SAFE.has(habit) && suggestion !== null,
    ...(preferred.seen > 0
      ? {
          evidence: [
            fromCorpus(phrase('evidence.times', { text: preferred.form.trim(), count: preferred.seen })),
          ],
        }
      : {}),
  };
}

/** Habits whose form is named instead of the written words. */
const NAMED = new Set<Habit>(['quotation_marks', 'heading_case']);

function headingCase(form: string): Detail {
  if (form === 'Title Case') return phrase('heading_case.title');
  if (form === 'Sentence case') return phrase('heading_case.sentence');
  return form === 'ALL CAPITALS' ? phrase('heading_case.capitals') : form;
}

/** Describes the written form; for headings and quotations, which are long, only their form is named. */
function messageOf(habit: Habit, written: string, form: string, wanted: PreferredForm): Phrase {
  const nameOf = (own: string) =>
    habit === 'heading_case' ? headingCase(own) : own.replace('…', ' ').trim();
  const [here, there] = NAMED.has(habit)
    ? [nameOf(form), nameOf(wanted.form)]
    : [written.trim(), wanted.form.trim()];
  const isForm = ['quotation_marks', 'heading_case', 'dash', 'ellipsis', 'apostrophe'].includes(habit);
  return phrase(wanted.seen > 0 ? 'finding.habit.corpus' : 'finding.habit.text', {
    habit: phrase(`finding.habit.${habit}`),
    here,
    like: isForm ? '' : phrase('finding.habit.like'),
    there,
  });
}

function rewrite(habit: Habit, written: string, wanted: string, { language }: Review): string | null {
  const lexicon = lexiconOf(language);
  switch (habit) {
    case 'quotation_marks':
      return requoted(written, wanted);
    case 'apostrophe':
    case 'ellipsis':
      return wanted;
    case 'dash':
      return wanted.length > 1 && written.endsWith('\n') ? `${wanted.trimEnd()}\n` : wanted;
    case 'decimal_mark':
      return wanted === '3,5' ? written.replace('.', ',') : written.replace(',', '.');
    case 'thousands':
      return written.replace(/\D/g, '').replace(/\B(?=(?:\d{3})+$)/g, wanted.slice(1, -3));
    case 'date_format': {
      const date = readDate(written, lexicon);
      return date && writeDate(date, wanted, lexicon);
    }
    case 'contractions':
      return writtenOut(written);
    case 'spelling_ise':
      return lexicon.spellings[0]!.rewrite(written, wanted);
    case 'spelling_our':
      return lexicon.spellings[1]!.rewrite(written, wanted);
    default:
      return null;
  }
}

function requoted(written: string, wanted: string): string {
  const [open, close] = wanted.split('…') as [string, string];
  const marks = /^(?:,,|.)/u.exec(written)![0].length;
  const behind = /(?:''|.)$/su.exec(written)![0].length;
  return open + written.slice(marks, written.length - behind) + close;
}

/** Returns the full form ("don't" → "do not"); null for "it's", which may mean "it has". */
function writtenOut(short: string): string | null {
  const [stem, ending] = [short.slice(0, -3), short.slice(-3).toLowerCase()];
  if (/n['’]t/i.test(ending)) {
    if (/^ca$/i.test(stem)) return `${stem}nnot`;
    return /^wo$/i.test(stem) ? `${stem.charAt(0)}ill not` : `${stem} not`;
  }
  const full = { re: 'are', ve: 'have', ll: 'will' }[ending.slice(1)];
  return full ? `${stem} ${full}` : null;
}
