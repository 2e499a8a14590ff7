import type { Operation } from '#kit/graph/structured.js';
import type { Conversation, ProfileReply } from '../contract/conversation.js';
import { chapterLengths, type BookProfile } from '../contract/profile.js';
import { ASSIST_STAGE } from '../profile/assistant.js';
import { missingRequired } from '../profile/fields.js';
import { readSuggestion, suggestionSchema } from '../profile/suggestion.js';
import { ASSISTANT } from './prompts.js';

/** Number of messages in a prompt, and maximum characters of each. */
const NEWEST = 20;
const LONGEST = 4_000;

const FORM = `{"assistant_reply": "…", "field_updates": {"title": "…", "subtitle": "…", "genre": "…", "target_audience": "…", "tone": "…", "language": "en", "chapter_length": ${chapterLengths.map((length) => `"${length}"`).join(' or ')}, "chapter_count": 8, "instruction_brief": "…"}, "next_field": "…"}`;

/** Asks for the next step of the conversation about the profile (B13: `assist_profile`). */
export function assistProfile(messages: Conversation, known: BookProfile): Operation<ProfileReply> {
  const talk = messages
    .slice(-NEWEST)
    .map(({ role, content }) => `${role === 'user' ? 'Author' : 'You'}: ${content.slice(0, LONGEST)}`);
  const missing = missingRequired(known).join(', ');
  return {
    name: ASSIST_STAGE,
    tier: 'main',
    system: ASSISTANT,
    prompt: [
      `Known of the book: ${JSON.stringify(known)}`,
      `Still missing: ${missing || 'nothing'}`,
      `The conversation:\n${talk.join('\n')}`,
      `Give the next step of it. Form, of field_updates only what the author has told and is not known yet: ${FORM}`,
    ].join('\n\n'),
    schema: suggestionSchema,
    read: (answer) => readSuggestion(answer, messages, known),
  };
}
