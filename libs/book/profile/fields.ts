import { phrase, type Phrase, type PhraseCode } from '#contracts/phrases/phrase.js';
import { phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import type { ProfileReply } from '../contract/conversation.js';
import { chapterLengths, type BookProfile, requiredFields } from '../contract/profile.js';

type RequiredField = (typeof requiredFields)[number];

/** Quick answers for each field (B18). */
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
export function choicesFor(field: RequiredField | null): Pick<ProfileReply, 'choices' | 'choice_phrases'> {
  const answers = field === null ? [choice('finalize')] : QUICK_ANSWERS[field];
  return {
    choices: answers.map(textOf),
    choice_phrases: answers.map((answer) => phraseOf(answer) ?? null),
  };
}

/**
 * Returns the first required field that a profile lacks, in the order of the questions; null if it has all.
 */
export function nextField(profile: BookProfile): RequiredField | null {
  return requiredFields.find((field) => profile[field] === undefined) ?? null;
}

/** Returns the required fields that a profile lacks (B17). */
export function missingRequired(profile: BookProfile): RequiredField[] {
  return requiredFields.filter((field) => profile[field] === undefined);
}
