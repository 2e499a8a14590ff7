import { phrase, type Phrase, type PhraseCode } from '#contracts/phrases/phrase.js';
import type { Detail } from '#contracts/phrases/detail.js';
import { languageNamed } from './language-names.js';
import { withoutFinalMarks } from './title.js';
import {
  bookProfileSchema,
  chapterLengths,
  type ChapterLength,
  type BookProfile,
  type ProfileField,
  requiredFields,
} from '../contract/profile.js';

type RequiredField = (typeof requiredFields)[number];

/** Quick answers for each field (B18). `readField` understands them in each language of the phrases. */
const QUICK_ANSWERS: Record<RequiredField, Detail[]> = {
  title: [],
  genre: (['non_fiction', 'handbook', 'history', 'memoir', 'novel'] as const).map(choice),
  target_audience: (['general_readers', 'beginners', 'professionals', 'students', 'children'] as const).map(
    choice,
  ),
  tone: (['plain', 'friendly', 'formal', 'vivid', 'humorous'] as const).map(choice),
  language: (['english', 'polish', 'german', 'french', 'spanish'] as const).map(choice),
  chapter_length: chapterLengths.map(choice),
  chapter_count: ['5', '8', '12', '20'],
};

type Choice = PhraseCode extends infer Code
  ? Code extends `profile.choice.${infer Name}`
    ? Name
    : never
  : never;

function choice(name: Choice): Phrase {
  return phrase(`profile.choice.${name}`);
}

/** Returns the assistant's question for a field. */
export const questionFor = (field: RequiredField): Phrase => phrase(`profile.ask.${field}`);

/** Returns quick answers for a field, or to the question whether the profile is final (B18). */
export const quickAnswers = (field: RequiredField | null): Detail[] =>
  field === null ? [choice('finalize')] : QUICK_ANSWERS[field];

/** Words for the lengths of chapters, and their adjectives before "chapters", as sources of regular expressions. */
export const LENGTH_WORDS: Record<ChapterLength, string> = {
  short: 'short|kurz(?:e[nrs]?)?|krótk(?:i|a|ie|ich)',
  medium: 'medium|mittel(?:lang)?(?:e[nrs]?)?|średni(?:a|e|ch|ej)?',
  long: 'long|lang(?:e[nrs]?)?|dług(?:i|a|ie|ich)',
};

/**
 * Returns the first required field that a profile lacks, in the order of the questions; null if it has all.
 */
export function nextField(profile: BookProfile): (typeof requiredFields)[number] | null {
  return requiredFields.find((field) => profile[field] === undefined) ?? null;
}

/** Returns the required fields that a profile lacks (B17). */
export function missingRequired(profile: BookProfile): RequiredField[] {
  return requiredFields.filter((field) => profile[field] === undefined);
}

/** Parses a person's words as a value of a field; undefined if they do not fit. */
export function readField<F extends ProfileField>(field: F, words: string): BookProfile[F] | undefined {
  const text = words.trim().replace(/\s+/g, ' ');
  const parsed = bookProfileSchema.shape[field].safeParse(candidate(field, text));
  return parsed.success ? (parsed.data as BookProfile[F]) : undefined;
}

/** Words before the value, as in `It is a novel`. */
const IT_IS = /^(?:(?:it(?:['’]s| is)|es ist|das ist|to jest|to) )?(?:an? |eine? )?(?=.)/iu;

function candidate(field: ProfileField, text: string): unknown {
  const lower = withoutFinalMarks(text.toLowerCase());
  switch (field) {
    case 'language':
      return languageNamed(lower) ?? lower;
    case 'chapter_count':
      return Number(/\d{1,4}/.exec(text)?.[0] ?? Number.NaN);
    case 'chapter_length':
      return chapterLengths.find((length) =>
        new RegExp(`(?<!\\p{L})(?:${LENGTH_WORDS[length]})(?!\\p{L})`, 'u').test(lower),
      );
    case 'genre':
      return withoutFinalMarks(text.replace(IT_IS, ''));
    case 'title':
      return text.replace(/^["“„«'](.*)["”“»']$/u, '$1').replace(/\.$/, '');
    case 'instruction_brief':
      return text;
    default:
      return withoutFinalMarks(text);
  }
}
