import { ModelFailure, type ModelPort } from '#kit/graph/ports.js';
import type { NewRunEvent } from '#contracts/events.js';
import { planConfigSchema } from '../../contract/values.js';
import { RunFailure } from '#engine/kind.js';
import { AIMessage } from '@langchain/core/messages';
import { once } from 'node:events';
import type { PlanPorts } from '../ports.js';
import type { PlanState } from '../state.js';
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
  } as unknown as PlanState;
};

/** Asks the model for one decision. */
async function decide(call: ModelPort['call'], deadlineSeconds = 60, signal?: AbortSignal) {
  const events: NewRunEvent[] = [];
  const ports = { model: { call }, emit: (event: NewRunEvent) => events.push(event) };
  const config = { configurable: { checkpoint_ns: 'agent:1' }, ...(signal ? { signal } : {}) };
  const update = await agentNode(ports as unknown as PlanPorts)(state(deadlineSeconds), config);
  return { update, failed: events.find(({ type }) => type === 'ail_failed')?.data };
}

/** A model that answers nothing until it is given up. */
const silent: ModelPort['call'] = async ({ signal }) => {
  if (!signal!.aborted) await once(signal!, 'abort');
  throw signal!.reason as Error;
};

describe('P6 a decision of the model', () => {
  it.each(['model_unavailable', 'model_quota_exceeded', 'model_timeout'])(
    'continues the plan on %s and says so',
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

  it('follows the answer of a model that is back', async () => {
    const calls = [{ name: 'abort', args: { reason: 'useless' }, id: 'c' }];
    const { update, failed } = await decide(() =>
      Promise.resolve(new AIMessage({ content: '', tool_calls: calls })),
    );
    expect(failed).toBeUndefined();
    expect(update).toMatchObject({ status: 'aborted', decisions: [{ by: 'model', reason: 'useless' }] });
  });

  it('ends with the run when the run is cancelled', async () => {
    const cancel = new AbortController();
    const decided = decide(silent, 60, cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(decided).rejects.toThrow('cancelled');
  });

  it('leaves failures that are none of the model to the run', async () => {
    const failure = new RunFailure('model_price_unknown', 'The model has no price.');
    await expect(decide(() => Promise.reject(failure))).rejects.toBe(failure);
  });
});
