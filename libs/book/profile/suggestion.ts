import { englishText } from '#contracts/phrases/phrase.js';
import type { Conversation, ProfileReply } from '../contract/conversation.js';
import { bookProfileSchema, requiredFields, type BookProfile } from '../contract/profile.js';
import { readJson } from '#kit/graph/structured.js';
import { z } from 'zod';
import { choicesFor, missingRequired, nextField } from './fields.js';
import { isGrounded, isPlaceholder, titleProblem } from './title.js';

export const suggestionSchema = z
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
export function readSuggestion(answer: string, messages: Conversation, known: BookProfile): ProfileReply {
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
