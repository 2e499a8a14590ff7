import { phrase } from '#contracts/phrases/phrase.js';
import { askModel } from '#kit/graph/node.js';
import { needsModel } from '../../needs-model.js';
import { assistProfile } from '../../prompts/profile.js';
import type { BookPorts } from '../ports.js';
import { failed, type BookNodeFunction } from '../state.js';

/**
 * B17: proposes the next step of the conversation about the profile. A run cannot write the author's concept,
 * so the model's answer remains a proposal.
 */
export function assistNode(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    const { messages, profile } = state.inputs;
    if (messages?.at(-1)?.role !== 'user')
      return failed('message_required', phrase('run_error.message_required'));
    const book = await ports.book.load();
    const known = { ...book.profile, ...profile };
    const suggested = await askModel(ports, assistProfile(messages, known), config);
    if (!suggested) return failed('needs_model', needsModel(state.mode, state.inputs)!.detail);
    return { profile_reply: suggested, status: 'completed' };
  };
}
