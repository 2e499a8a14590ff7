import { ModelFailure, type RunModel } from '#kit/graph/ports.js';
import type { Conversation } from '../contract/conversation.js';
import type { ModelRecovery } from '#kit/graph/model-recovery.js';
import { budgeted } from '#kit/graph/node.js';
import type { BookProfile } from '../contract/profile.js';
import { describe, expect, it } from '@jest/globals';
import { AIMessage } from '@langchain/core/messages';
import { assistNode } from '../graph/nodes/profile.js';
import { buildInitialState } from '../graph/initial-state.js';
import type { BookUpdate } from '../graph/state.js';
import type { BookPorts } from '../graph/ports.js';

const SAID: Conversation = [
  { role: 'assistant', content: 'What is it about?' },
  {
    role: 'user',
    content: 'The lighthouse keepers of Marrow Point: a warm history, for people on holiday there.',
  },
];
const COMPLETE: BookProfile = {
  title: 'The Keepers',
  genre: 'History',
  target_audience: 'Students',
  tone: 'Plain',
  language: 'en',
  chapter_length: 'short',
  chapter_count: 3,
};
const good = (field_updates: object, more: object = {}) =>
  JSON.stringify({ assistant_reply: 'In which language?', field_updates, ...more });

/** Runs the node with a model that gives these answers in order; an error is thrown in its turn. */
async function ask(answers: (string | Error)[], profile: BookProfile = {}, messages = SAID, offline = false) {
  const prompts: string[] = [];
  const model: RunModel = {
    fastLabel: 'a fast model',
    label: 'scripted',
    setBudget: () => Promise.resolve(),
    spent: () => Promise.resolve({ tokens: 0, cost: 0 }),
    call: ({ messages: sent }) => {
      prompts.push(sent.map(({ text }) => text).join('\n'));
      const answer = answers.shift() ?? '';
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(new AIMessage(answer));
    },
  };
  const book = { load: () => Promise.resolve({ profile: {} }) };
  const ports = { model, book, offline, emit: () => undefined } as unknown as BookPorts;
  const inputs = { messages, profile };
  const state = buildInitialState({
    session_id: 's',
    project_id: 'p',
    trace_id: 't',
    mode: 'assist_profile',
    inputs,
  });
  const step = { metadata: { langgraph_checkpoint_ns: 'assist_profile:1' } };
  const node = budgeted(assistNode(ports));
  const update: BookUpdate = await node(state, step);
  const failure = (update.model_recovery as ModelRecovery | undefined)?.failure?.code ?? null;
  return { update, failure, reply: update.profile_reply!, prompts };
}

describe('the profile assistant with a model', () => {
  it("B17 proposes the author's values, and asks for missing ones", async () => {
    const updates = { genre: 'History', tone: 'Warm', target_audience: 'People on holiday' };
    const { reply, update, prompts } = await ask([good(updates, { next_field: 'chapter_length' })]);
    expect(reply).toMatchObject({
      assistant_reply: 'In which language?',
      field_updates: updates,
      next_field: 'chapter_length',
      choices: ['short', 'medium', 'long'],
      is_finalized: false,
      missing_required: ['title', 'language', 'chapter_length', 'chapter_count'],
      used_fallback: false,
      fallback_stage: null,
    });
    expect(update).toMatchObject({ status: 'completed' });
    expect(prompts[0]).toContain('Still missing: title, genre');
  });

  it('B18 asks for a missing field, whichever one the model names, and reports only changes', async () => {
    const known = { title: 'The Keepers', genre: 'History' };
    const { reply } = await ask([good({ genre: 'History', tone: 'Warm' }, { next_field: 'genre' })], known);
    expect(reply.field_updates).toEqual({ tone: 'Warm' });
    expect(reply.next_field).toBe('target_audience');
  });

  it.each([
    ['a placeholder', { title: 'Untitled' }, 'placeholder|has not said'],
    ['what the author has not said', { title: 'Blockchain for Keepers' }, 'has not said the title'],
    ['a field that there is not', { user_concept: { title: 'x' } }, 'does not fit'],
    ['a value that does not fit', { chapter_count: 9_999 }, 'does not fit'],
    ['a placeholder for a genre', { genre: 'TBD' }, 'is a placeholder'],
  ])('B17 rejects %s, and accepts the corrected answer', async (_, updates, why) => {
    const { reply, prompts } = await ask([good(updates), good({ title: 'The Keepers of Marrow Point' })]);
    expect(prompts[1]).toMatch(new RegExp(why));
    expect(reply).toMatchObject({
      field_updates: { title: 'The Keepers of Marrow Point' },
      used_fallback: false,
    });
  });

  const UNUSABLE = 'model_answer_unusable';
  it.each<[string, string, string | Error]>([
    ['is malformed', UNUSABLE, '{"assistant_reply": 12}'],
    ['is cut', UNUSABLE, '{"assistant_reply": "In which lang'],
    ['is empty', UNUSABLE, ''],
    ['refuses', UNUSABLE, 'I’m sorry, but I cannot help with that.'],
    ['repeats itself for ever', UNUSABLE, good({}).replace('In which', 'In which '.repeat(600))],
    ['says that all is final', UNUSABLE, good({}, { is_finalized: true })],
    ['is an error of the server', 'model_unavailable', new ModelFailure('model_unavailable', 'no')],
  ])('B13 X13 reports the failure of the model if the answer %s', async (_, code, answer) => {
    const { update, failure } = await ask([answer, answer]);
    expect(failure).toBe(code);
    expect(update).not.toHaveProperty('profile_reply');
  });

  it('X21 replies to nothing without a model, and names the fields of the profile', async () => {
    const { update } = await ask([], {}, SAID, true);
    expect(update).toMatchObject({ status: 'failed', error_type: 'needs_model' });
    expect(update.last_error).toContain('title, genre, target_audience, tone, language');
  });

  it('B17 never finalises the profile: only the author does', async () => {
    const { reply } = await ask([good({}, { next_field: null })], COMPLETE);
    expect(reply).toMatchObject({ is_finalized: false, missing_required: [], choices: ['finalize'] });
    const { update } = await ask([], {}, [{ role: 'assistant', content: 'Well?' }]);
    expect(update).toMatchObject({ status: 'failed', error_type: 'message_required' });
  });
});
