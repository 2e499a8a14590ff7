import type { DecisionRequest } from '#catalogue/decisions.js';
import { AIMessage } from '@langchain/core/messages';
import { Annotation, Command, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { askAboutModel } from './ask-about-model.js';
import { NO_RECOVERY, type ModelRecovery } from './model-recovery.js';
import { askModel, budgeted, withStage } from './node.js';
import { ModelFailure, type ModelPort, type RunModel } from './ports.js';
import { readJson, type Operation } from './structured.js';
import { z } from 'zod';

const QUOTA = new ModelFailure('model_quota_exceeded', 'The quota is used up.');
const operation = (name: string): Operation<number> => ({
  name,
  tier: 'main',
  system: 'You count.',
  prompt: `Count ${name}.`,
  read: (answer) => readJson(z.object({ count: z.number() }), answer).count,
});

const State = Annotation.Root({
  model_recovery: Annotation<ModelRecovery>({ reducer: (_, next) => next, default: () => NO_RECOVERY }),
  counts: Annotation<(number | null)[]>(),
  stages: Annotation<string[]>(),
  error: Annotation<string | null>(),
});
type Counts = typeof State.State;
type Call = Parameters<ModelPort['call']>[0];

/**
 * Runs a graph with one node that performs two operations, and answers its questions in turn.
 *
 * @param answers of the model in order, each the text of an answer or a failure
 */
async function count(
  answers: (string | Error)[],
  decisions: string[],
  labels = { label: 'large', fastLabel: 'small' },
) {
  const calls: Pick<Call, 'effectKey' | 'tier'>[] = [];
  const model: RunModel = {
    ...labels,
    setBudget: () => Promise.resolve(),
    spent: () => Promise.resolve({ tokens: 0, cost: 0 }),
    call: (request) => {
      calls.push(request);
      const answer = answers.shift()!;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(new AIMessage(answer));
    },
  };
  const ports = { model, offline: false, emit: () => undefined, settings: { decisionDeadlineSeconds: 60 } };
  const work = budgeted(async (_state: Counts, config): Promise<Partial<Counts>> => {
    const first = await askModel(ports, operation('sheep'), config);
    const second = await askModel(ports, operation('goats'), config);
    const stages = withStage(
      withStage([], first === null ? 'sheep' : null),
      second === null ? 'goats' : null,
    );
    return { counts: [first, second], stages };
  });
  const decide = (state: Counts) => {
    const { recovery, error } = askAboutModel(ports, 'ses_1', state.model_recovery);
    return { model_recovery: recovery, error: error?.code ?? null };
  };
  const graph = new StateGraph(State)
    .addNode('work', work)
    .addNode('decide', decide)
    .addEdge(START, 'work')
    .addConditionalEdges('work', (state) => (state.model_recovery.failure ? 'decide' : END), ['decide', END])
    .addConditionalEdges('decide', (state) => (state.error ? END : 'work'), ['work', END])
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: '1' } };
  const asked: DecisionRequest[] = [];
  let input: Partial<Counts> | Command = { counts: [], stages: [], error: null };
  for (;;) {
    await graph.invoke(input as Counts, config);
    const { tasks, values } = await graph.getState(config);
    const interrupts = tasks.flatMap((task) => task.interrupts);
    if (interrupts.length === 0) return { state: values as Counts, asked, calls };
    asked.push((interrupts[0]!.value as { input: DecisionRequest }).input);
    input = new Command({ resume: { ok: true, output: { action: decisions.shift() } } });
  }
}

describe('X13 a node whose model fails', () => {
  it('is repeated after a retry; usable answers are not asked for again', async () => {
    const { state, asked, calls } = await count(['{"count": 3}', QUOTA, '{"count": 5}'], ['retry']);
    expect(state).toMatchObject({
      counts: [3, 5],
      stages: [],
      model_recovery: { answers: {}, failure: null },
    });
    expect(calls).toHaveLength(3);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      decision_type: 'model_failed',
      details: { operation: 'goats', model: 'large', other_model: 'small' },
    });
  });

  it('asks the other model in every further operation', async () => {
    const { state, calls } = await count([QUOTA, '{"count": 3}', '{"count": 5}'], ['other_model']);
    expect(state.counts).toEqual([3, 5]);
    expect(calls.map(({ tier }) => tier)).toEqual(['main', 'fast', 'fast']);
  });

  it('offers the first model again if the other one fails, too', async () => {
    const { asked } = await count(
      [QUOTA, QUOTA, '{"count": 3}', '{"count": 5}'],
      ['other_model', 'other_model'],
    );
    expect(asked.map(({ details }) => [details['model'], details['other_model']])).toEqual([
      ['large', 'small'],
      ['small', 'large'],
    ]);
  });

  it('offers no other model if the installation has only one', async () => {
    const { asked } = await count([QUOTA], ['stop'], { label: 'only', fastLabel: 'only' });
    expect(asked[0]!.details).toMatchObject({ other_model: null, choices: ['retry', 'rules', 'stop'] });
  });

  it('lets rules do one operation if only its answers are unusable', async () => {
    const { state, asked } = await count(['no', 'no', '{"count": 5}'], ['rules']);
    expect(asked[0]!.details).toMatchObject({ code: 'model_answer_unusable', operation: 'sheep' });
    expect(state).toMatchObject({ counts: [null, 5], stages: ['sheep'], model_recovery: { by_rules: [] } });
  });

  it('lets rules do every further operation if the model cannot be used, and keeps earlier answers', async () => {
    const { state, calls } = await count(['{"count": 3}', QUOTA], ['rules']);
    expect(state).toMatchObject({ counts: [3, null], stages: ['goats'], model_recovery: { rules: true } });
    expect(calls).toHaveLength(2);
    const none = await count([QUOTA], ['rules']);
    expect(none.state.counts).toEqual([null, null]);
    expect(none.asked).toHaveLength(1);
  });

  it('ends with the code of the failure when a person stops it', async () => {
    const { state } = await count([QUOTA], ['stop']);
    expect(state).toMatchObject({ error: 'model_quota_exceeded', counts: [] });
  });
});
