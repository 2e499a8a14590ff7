import { NO_RECOVERY } from '#kit/graph/model-recovery.js';
import { ModelFailure, type ModelPort } from '#kit/graph/ports.js';
import type { NewRunEvent } from '#catalogue/events.js';
import { planConfigSchema } from '../../contract/values.js';
import { RunFailure } from '#engine/kind.js';
import { AIMessage } from '@langchain/core/messages';
import { once } from 'node:events';
import type { PlanPorts } from '../ports.js';
import type { PlanState } from '../state.js';
import { toModelMessages } from '../conversation.js';
import { nextByTable } from '#kit/graph/routing.js';
import { routingTable } from '../definition.js';
import { agentNode } from './agent.js';

const state = (deadline_seconds: number) => {
  const config = planConfigSchema.parse({ ail: { decision_points: 'per_layer', agent: 'model' } });
  return {
    session_id: 'ses_1',
    intent: 'list the files',
    config: { ...config, ail: { ...config.ail, deadline_seconds } },
    tasks: [],
    with_side_effects: [],
    incomplete: [],
    messages: [],
    results: [],
    running: [],
    approved: [],
    layer: 1,
    pauses: 0,
    replans: 0,
    model_recovery: NO_RECOVERY,
  } as unknown as PlanState;
};

/** Requests one decision from the model. */
async function decide(call: ModelPort['call'], deadlineSeconds = 60, signal?: AbortSignal) {
  const events: NewRunEvent[] = [];
  const ports = { model: { call }, emit: (event: NewRunEvent) => events.push(event) };
  const config = { configurable: { checkpoint_ns: 'agent:1' }, ...(signal ? { signal } : {}) };
  const update = await agentNode(ports as unknown as PlanPorts)(state(deadlineSeconds), config);
  return { update, failed: events.find(({ type }) => type === 'ail_failed')?.data };
}

/** A model that never answers until the request is aborted. */
const silent: ModelPort['call'] = async ({ signal }) => {
  if (!signal!.aborted) await once(signal!, 'abort');
  throw signal!.reason as Error;
};

describe('P6 a decision of the model', () => {
  it.each(['model_unavailable', 'model_quota_exceeded', 'model_timeout'])(
    'continues the plan on %s and reports it',
    async (code) => {
      const failure = new ModelFailure(code, 'The reason.');
      const { update, failed } = await decide(() => Promise.reject(failure));
      expect(failed).toMatchObject({ code, error: 'The reason.', action_taken: 'continue' });
      expect(update).toMatchObject({
        decisions: [{ type: 'ail', action: 'continue', by: 'default', reason: 'The reason.' }],
      });
      expect(update).not.toHaveProperty('status');
    },
  );

  it('continues the plan when its deadline passes', async () => {
    const { update, failed } = await decide(silent, 0.02);
    expect(failed).toMatchObject({ code: 'agent_timeout', action_taken: 'continue' });
    expect(update.decisions).toMatchObject([{ action: 'continue', by: 'default' }]);
  });

  it('follows the answer of a recovered model', async () => {
    const calls = [{ name: 'abort', args: { reason: 'useless' }, id: 'c' }];
    const { update, failed } = await decide(() =>
      Promise.resolve(new AIMessage({ content: '', tool_calls: calls })),
    );
    expect(failed).toBeUndefined();
    expect(update).toMatchObject({ status: 'aborted', decisions: [{ by: 'model', reason: 'useless' }] });
  });

  it('ends with the cancelled run', async () => {
    const cancel = new AbortController();
    const decided = decide(silent, 60, cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(decided).rejects.toThrow('cancelled');
  });

  it('is requested again after an invalid one, and passed to a person after two', async () => {
    const invalid = () => new AIMessage('I would continue.');
    const calls = [{ name: 'continue', args: {}, id: 'c' }];
    const answers = [invalid(), new AIMessage({ content: '', tool_calls: calls })];
    const mended = await decide(() => Promise.resolve(answers.shift()!));
    expect(mended).toMatchObject({ failed: undefined, update: { decisions: [{ by: 'model' }] } });
    const { update, failed } = await decide(() => Promise.resolve(invalid()));
    expect(update).toEqual({ undecided: true });
    expect(failed).toMatchObject({ code: 'invalid_model_answer', action_taken: 'ask' });
    const next = nextByTable(routingTable, 'agent', { ...state(60), ...update } as PlanState);
    expect(next).toBe('ask_agent');
  });

  it('lets the run handle failures outside the model', async () => {
    const failure = new RunFailure('model_price_unknown', 'The model has no price.');
    await expect(decide(() => Promise.reject(failure))).rejects.toBe(failure);
  });
});

describe('P3 the conversation with the model', () => {
  const at = '2026-11-27T00:00:00.000Z';
  const layer = (name: string) => ({
    role: 'plan' as const,
    text: `${name} is complete.`,
    results: [name],
    at,
  });
  const call = (id: string) => ({ id, name: 'continue', args: {} });
  const own = (id: string) => ({ role: 'agent' as const, text: 'continue', results: [], at, call: call(id) });
  const asked = { role: 'agent' as const, text: 'A client asks for your decision.', results: [], at };
  const approved = { role: 'plan' as const, text: 'A person has approved the next layer.', results: [], at };
  const command = {
    ...asked,
    text: 'replan_dag',
    call: { id: 'cmd_1', name: 'replan_dag', args: { new_requirement: 'parse xml' } },
    by: 'client' as const,
  };

  it.each([
    [
      [layer('a'), own('c1'), layer('b')],
      ['human', 'ai', 'tool'],
    ],
    [
      [layer('a'), own('c1'), asked, layer('b'), own('c2')],
      ['human', 'ai', 'tool', 'human', 'ai', 'tool'],
    ],
    [
      [layer('a'), own('c1'), command, layer('b'), own('c2'), approved, layer('c')],
      ['human', 'ai', 'tool', 'ai', 'tool', 'ai', 'tool', 'human'],
    ],
    [
      [own('c1'), own('c2')],
      ['ai', 'tool', 'ai', 'tool'],
    ],
  ])('answers every tool call with a tool message', async (messages, types) => {
    const told = await toModelMessages({ ...state(60), messages } as PlanState, () =>
      Promise.resolve('</results>'),
    );
    expect(told.slice(2).map((message) => message.getType())).toEqual(types);
    const text = told
      .slice(2)
      .map((message) => message.text)
      .join('\n');
    expect(text).not.toContain('"</results>');
    const withResults = messages.filter(({ results }) => results.length > 0);
    expect(text.split('<results>')).toHaveLength(withResults.length + 1);
  });

  it('reports which calls a client made, with their results', async () => {
    const messages = [layer('a'), command, layer('b')];
    const told = await toModelMessages({ ...state(60), messages } as PlanState, () => Promise.resolve(1));
    expect(told.at(-2)).toMatchObject({ tool_calls: [{ id: 'cmd_1', name: 'replan_dag' }] });
    expect(told.at(-1)).toMatchObject({ tool_call_id: 'cmd_1' });
    expect(told.at(-1)!.text).toMatch(/^A client decided this, not you\. b is complete\./);
  });
});
