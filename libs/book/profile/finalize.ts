import { englishText, joinPhrases, phrase, type Phrase, type PhraseCode } from '#contracts/phrases/phrase.js';
import type { Conversation, ProfileReply } from '../contract/conversation.js';
import { type BookProfile, chapterLengths, requiredFields } from '../contract/profile.js';
import { titleProblem, withoutFinalMarks } from './title.js';
import { phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';

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
const questionFor = (field: RequiredField): Phrase => phrase(`profile.ask.${field}`);

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

/** Name of the model operation that replies to the author (B13). */
export const ASSIST_STAGE = 'assist_profile';

/** Texts of the quick answer `profile.choice.finalize` in English, German and Polish. */
const FINALIZE = ['finalize', 'fertig', 'zakończ'];

/** Returns whether the author's newest message is the quick answer that finalises the profile (B18). */
export function isFinalizing(messages: Conversation): boolean {
  const newest = messages.at(-1);
  return newest?.role === 'user' && FINALIZE.includes(withoutFinalMarks(newest.content.trim().toLowerCase()));
}

/** Finalises a profile; if it is incomplete or has a placeholder as title, asks for what is missing (B17). */
export function finalize({ title, ...others }: BookProfile): ProfileReply {
  const profile = title === undefined || titleProblem(title) !== null ? others : { title, ...others };
  const missing = missingRequired(profile);
  const next = nextField(profile);
  const reply =
    next === null ? phrase('profile.finalized', { title: title! }) : stillMissing(missing, questionFor(next));
  return {
    assistant_reply: englishText(reply),
    reply_phrase: reply,
    field_updates: {},
    next_field: next,
    ...(next === null ? { choices: [], choice_phrases: [] } : choicesFor(next)),
    is_finalized: next === null,
    missing_required: missing,
    used_fallback: true,
    fallback_stage: ASSIST_STAGE,
  };
}

function stillMissing(missing: ReturnType<typeof missingRequired>, question: Phrase): Phrase {
  const names = missing.map((field) => phrase(`profile.field.${field}`));
  return joinPhrases('sentences', [
    phrase('profile.missing', { fields: joinPhrases('list', names) }),
    question,
  ]);
}
