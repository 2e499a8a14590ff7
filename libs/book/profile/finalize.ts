import { englishText, joinPhrases, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { Conversation, ProfileReply } from '../contract/conversation.js';
import type { BookProfile } from '../contract/profile.js';
import { choicesFor, missingRequired, nextField, questionFor } from './fields.js';
import { titleProblem, withoutFinalMarks } from './title.js';

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
