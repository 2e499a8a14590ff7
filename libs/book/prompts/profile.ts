import { type Operation, readJson } from '#kit/graph/structured.js';
import { DATA_RULE, promptOf, tagged } from '#kit/graph/tagged.js';
import { englishText } from '#contracts/phrases/phrase.js';
import { z } from 'zod';
import type { Conversation, ProfileReply } from '../contract/conversation.js';
import { type BookProfile, bookProfileSchema, chapterLengths, requiredFields } from '../contract/profile.js';
import { ASSIST_STAGE, choicesFor, missingRequired, nextField } from '../profile/finalize.js';
import { isGrounded, isPlaceholder, titleProblem } from '../profile/title.js';

/** Number of messages in a prompt, and maximum characters of each. */
const NEWEST = 20;
const LONGEST = 4_000;

const SYSTEM = `You help an author to describe a book before it is planned. You read what the author says, note what is known, and ask for what is missing, one question at a time.
${DATA_RULE}
- Note only what the author said or clearly meant. Leave a field out if you are not sure, and ask. A greeting, a question to you or thanks are no value of a field.
- The title is in the author's own words. You may propose titles in "assistant_reply".
- "genre" is the kind of book, such as handbook or novel. "language" is the language of the book as a code, such as "en" or "pl". A short chapter has about 1,000 words, a medium one 2,000, a long one 3,000. "instruction_brief" holds what else the author says about content and purpose; it replaces the earlier one, so repeat what still holds.
- When the author corrects something, put the new value into "field_updates", also if the field is in <known>.
- Answer in the author's language, in one to three sentences: first confirm in half a sentence what you noted, then ask the next question.
- When nothing is missing, sum up what you understood, and say that typing "finalize" (in German "fertig", in Polish "zakończ") sets the book up.
Answer with one JSON object and nothing else.`;

const FORM = `{"assistant_reply": "…", "field_updates": {"title": "…", "subtitle": "…", "genre": "…", "target_audience": "…", "tone": "…", "language": "en", "chapter_length": ${chapterLengths.map((length) => `"${length}"`).join(' or ')}, "chapter_count": 8, "instruction_brief": "…"}, "next_field": "…"}`;

const EXAMPLE = `Example. The author writes: "hello! it's for people who just bought a boat, keep it light"
{"assistant_reply": "A light book for new boat owners. What is its title?", "field_updates": {"target_audience": "people who have just bought a boat", "tone": "light"}, "next_field": "title"}`;

/** Asks for the next step of the conversation about the profile (B13: `assist_profile`). */
export function assistProfile(messages: Conversation, known: BookProfile): Operation<ProfileReply> {
  const talk = messages
    .slice(-NEWEST)
    .map(({ role, content }) => `${role === 'user' ? 'Author' : 'You'}: ${content.slice(0, LONGEST)}`);
  const missing = missingRequired(known).join(', ');
  return {
    name: ASSIST_STAGE,
    tier: 'main',
    system: SYSTEM,
    prompt: promptOf(
      tagged('known', JSON.stringify(known)),
      tagged('conversation', talk.join('\n')),
      `Still missing: ${missing || 'nothing'}`,
      `Task: give the next step of the conversation. "field_updates" holds only what is new or corrected.
Form: ${FORM}
${EXAMPLE}`,
    ),
    schema: suggestionSchema,
    read: (answer) => readSuggestion(answer, messages, known),
  };
}

const suggestionSchema = z
  .object({
    assistant_reply: z.string().trim().min(1).max(2_000),
    field_updates: bookProfileSchema.default({}),
    next_field: z.enum(requiredFields).nullish(),
  })
  .strict();

/**
 * Validates the model's reply by rules: known fields with valid values, no placeholder, a title from the
 * author's own words. The result is a proposal and never final: only the author finalises a profile (B17).
 *
 * @throws Error with a message for the model
 */
function readSuggestion(answer: string, messages: Conversation, known: BookProfile): ProfileReply {
  const { assistant_reply, field_updates, next_field: asked } = readJson(suggestionSchema, answer);
  const updates = changedFields(field_updates, known);
  const problem = problemOf(updates, messages, known);
  if (problem !== null) throw new Error(problem);
  const profile = { ...known, ...updates };
  const missing = missingRequired(profile);
  const next = asked && missing.includes(asked) ? asked : nextField(profile);
  return {
    assistant_reply,
    field_updates: updates,
    next_field: next,
    ...choicesFor(next),
    is_finalized: false,
    missing_required: missing,
    used_fallback: false,
    fallback_stage: null,
  };
}

function changedFields(updates: BookProfile, known: BookProfile): BookProfile {
  const before = new Map<string, unknown>(Object.entries(known));
  return Object.fromEntries(
    Object.entries(updates).filter(([field, value]) => value !== undefined && value !== before.get(field)),
  );
}

function problemOf(
  { title, ...others }: BookProfile,
  messages: Conversation,
  known: BookProfile,
): string | null {
  const empty = Object.entries(others).find(([, value]) => typeof value === 'string' && isPlaceholder(value));
  if (empty) return `"${empty[1]}" is a placeholder: leave ${empty[0]} out until the author has told it.`;
  if (title === undefined) return null;
  const authorTexts = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const words = [...authorTexts, known.title, known.subtitle, known.instruction_brief].join('\n');
  if (isGrounded(title, words)) {
    const problem = titleProblem(title);
    return problem && englishText(problem);
  }
  return `the author has not said the title "${title}": leave it out, and propose it in assistant_reply.`;
}
