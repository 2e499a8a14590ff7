import { withoutFinalMarks } from './title.js';
import {
  bookProfileSchema,
  chapterLengths,
  type BookProfile,
  type ProfileField,
  requiredFields,
} from '../contract/profile.js';

/** The assistant's question for a field, and the quick answers that it offers (B18). */
interface FieldQuestion {
  question: string;
  choices: string[];
}

const LANGUAGES: Record<string, string> = {
  english: 'en',
  polish: 'pl',
  polski: 'pl',
  german: 'de',
  deutsch: 'de',
  french: 'fr',
  français: 'fr',
  spanish: 'es',
  español: 'es',
  italian: 'it',
  portuguese: 'pt',
  dutch: 'nl',
  swedish: 'sv',
  czech: 'cs',
  ukrainian: 'uk',
  russian: 'ru',
  japanese: 'ja',
  chinese: 'zh',
};

export const fieldQuestions: Record<(typeof requiredFields)[number], FieldQuestion> = {
  title: { question: 'What is the title of the book?', choices: [] },
  genre: {
    question: 'What kind of book is it?',
    choices: ['Non-fiction', 'Handbook', 'History', 'Memoir', 'Novel'],
  },
  target_audience: {
    question: 'Who is it for?',
    choices: ['General readers', 'Beginners', 'Professionals', 'Students', 'Children'],
  },
  tone: {
    question: 'What tone should it have?',
    choices: ['Plain', 'Friendly', 'Formal', 'Vivid', 'Humorous'],
  },
  language: { question: 'In which language?', choices: ['English', 'Polish', 'German', 'French', 'Spanish'] },
  chapter_length: { question: 'How long are its chapters?', choices: [...chapterLengths] },
  chapter_count: { question: 'How many chapters?', choices: ['5', '8', '12', '20'] },
};

/**
 * Returns the first required field that a profile lacks, in the order of the questions; null if it has all.
 */
export function nextField(profile: BookProfile): (typeof requiredFields)[number] | null {
  return requiredFields.find((field) => profile[field] === undefined) ?? null;
}

/** Returns the required fields that a profile lacks (B17). */
export function missingRequired(profile: BookProfile): ProfileField[] {
  return requiredFields.filter((field) => profile[field] === undefined);
}

/** Parses a person's words as a value of a field; undefined if they do not fit. */
export function readField<F extends ProfileField>(field: F, words: string): BookProfile[F] | undefined {
  const text = words.trim().replace(/\s+/g, ' ');
  const parsed = bookProfileSchema.shape[field].safeParse(candidate(field, text));
  return parsed.success ? (parsed.data as BookProfile[F]) : undefined;
}

function candidate(field: ProfileField, text: string): unknown {
  const lower = withoutFinalMarks(text.toLowerCase());
  switch (field) {
    case 'language':
      return LANGUAGES[lower.replace(/^(?:in |auf |po )/, '')] ?? lower;
    case 'chapter_count':
      return Number(/\d{1,4}/.exec(text)?.[0] ?? Number.NaN);
    case 'chapter_length':
      return chapterLengths.find((length) => new RegExp(`\\b${length}\\b`).test(lower));
    case 'title':
      return text.replace(/^["“„«'](.*)["”“»']$/u, '$1').replace(/\.$/, '');
    case 'instruction_brief':
      return text;
    default:
      return withoutFinalMarks(text);
  }
}

/** Returns the language that a sentence names with "in …"; undefined if it names none. */
export function namedLanguage(text: string): string | undefined {
  const names = Object.keys(LANGUAGES).join('|');
  const match = new RegExp(`(?:\\bin|\\bauf|\\bpo|language:?)\\s+(${names})(?!\\p{L})`, 'iu').exec(text);
  return match ? LANGUAGES[(match[1] as string).toLowerCase()] : undefined;
}
