import { phrase } from '#contracts/phrases/phrase.js';
import { askModel, withStage } from '#kit/graph/node.js';
import { assistProfile } from '../../prompts/profile.js';
import type { BookPorts } from '../ports.js';
import { assistByRules, ASSIST_STAGE, unreadOf } from '../../profile/assistant.js';
import { failed, type BookNodeFunction } from '../state.js';

/**
 * B17: proposes the next step of the conversation about the profile. A run cannot write the author's concept,
 * so the model's answer remains a proposal. If a person chose rules instead of a failed model, the reply says
 * so.
 */
export function assistNode(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    const { messages, profile } = state.inputs;
    if (messages?.at(-1)?.role !== 'user')
      return failed('message_required', phrase('run_error.message_required'));
    const book = await ports.book.load();
    const known = { ...book.profile, ...profile };
    const suggested = await askModel(ports, assistProfile(messages, known), config);
    const byRules = { ...assistByRules(unreadOf(messages, profile), known), is_finalized: false };
    return {
      profile_reply: suggested ?? byRules,
      fallback_stages: withStage(state.fallback_stages, suggested ? null : ASSIST_STAGE),
      status: 'completed',
    };
  };
}
