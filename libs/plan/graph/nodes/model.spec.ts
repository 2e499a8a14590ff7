import { BudgetExceededError, ModelFailure } from '#kit/graph/ports.js';
import { PlanInMemory as Plan, planAnswer } from '#testing/plan-in-memory.js';
import { AIMessage } from '@langchain/core/messages';
import type { PlanTask } from '../../contract/values.js';
import type { GivenCommand } from '../ports.js';

const DOWN = new ModelFailure('model_unavailable', 'The model provider answered with status 503.');
const answer = (value: unknown) =>
  new AIMessage({ content: '', tool_calls: [{ name: 'answer', args: { answer: value }, id: 'c' }] });
const LIST: PlanTask = { id: 'list', tool: 'list_inputs', arguments: {}, depends_on: [] };
const planned = planAnswer(LIST);

const asking = (...choices: string[]) => ({
  task: 'human_input',
  input: { decision_type: 'model_failed', details: { choices } },
});
const run = (tool: string) => ({ task: 'run_tool', input: { tool } });

describe('X13 a plan whose planner fails', () => {
  const intent = 'list the input files';

  it('asks, and plans with the model once it is available again', async () => {
    const plan = new Plan([DOWN, planned]);
    const [asked] = await plan.start({ intent });
    expect(asked).toMatchObject(asking('retry', 'other_model', 'stop'));
    expect(await plan.answer({ action: 'retry' })).toMatchObject([run('list_inputs')]);
    expect(await plan.state()).toMatchObject({ planning: { planned_by: 'model' } });
  });

  it('plans with the other model if chosen', async () => {
    const plan = new Plan([DOWN, planned]);
    await plan.start({ intent });
    await plan.answer({ action: 'other_model' });
    expect(plan.requests.map(({ tier }) => tier)).toEqual(['main', 'fast']);
  });

  it('asks the model again if a question of an older release is answered with rules', async () => {
    const plan = new Plan([DOWN, planned]);
    await plan.start({ intent });
    expect(await plan.answer({ action: 'rules' })).toMatchObject([run('list_inputs')]);
    expect(await plan.state()).toMatchObject({ planning: { planned_by: 'model' } });
    expect(plan.events.map(({ type }) => type)).not.toContain('fallback_used');
  });

  it('asks about a plan that cannot run after its corrections', async () => {
    const useless = new AIMessage('No.');
    const plan = new Plan([useless, useless, useless, planned]);
    const [asked] = await plan.start({ intent });
    expect(asked).toMatchObject(asking('retry', 'other_model', 'stop'));
    expect(asked!.input.details).toMatchObject({ code: 'model_answer_unusable', operation: 'plan' });
    expect(await plan.answer({ action: 'retry' })).toMatchObject([run('list_inputs')]);
  });

  it('ends as failed without an answer in time', async () => {
    const plan = new Plan([DOWN]);
    const [asked] = await plan.start({ intent });
    expect(asked!.input).toMatchObject({ default_answer: { action: 'stop' }, deadline_seconds: 604_800 });
    expect(await plan.answer({ action: 'stop' })).toEqual([]);
    expect(await plan.state()).toMatchObject({ status: 'failed', error: { code: 'model_unavailable' } });
  });
});

describe('X21 a plan without a model', () => {
  it('is not made for a request: the error names the templates, fitting ones first', async () => {
    const plan = new Plan([], [], [], true);
    expect(await plan.start({ intent: 'Summe pro Gruppe in der Tabelle' })).toEqual([]);
    const { status, error } = await plan.state();
    expect([status, error!.code]).toEqual(['failed', 'needs_model']);
    expect(error!.message).toMatch(/\(total_by_group, .*list_files.*\)/);
  });
});

describe('X13 a task whose model fails', () => {
  const ask: PlanTask = { id: 'ask', tool: 'call_model', arguments: { prompt: 'x' }, depends_on: [] };
  const list: PlanTask = { ...LIST, depends_on: ['ask'] };

  it.each(['end', 'retry', 'ask'])(
    'is asked about, and repeated without its finished siblings: %s',
    async (rule) => {
      const plan = new Plan([DOWN, DOWN, answer('Done.')]);
      const [asked] = await plan.start({ tasks: [ask, list], config: { on_task_error: rule } });
      expect(asked).toMatchObject(asking('retry', 'other_model', 'stop'));
      expect(asked!.input.details).toMatchObject({ operation: 'call_model', model: 'large' });
      const [again] = await plan.answer({ action: 'other_model' });
      expect(again!.input.details).toMatchObject({ model: 'small' });
      expect(await plan.answer({ action: 'retry' })).toMatchObject([run('list_inputs')]);
      expect(plan.requests.map(({ tier }) => tier)).toEqual(['main', 'fast', 'fast']);
    },
  );

  it('is asked about before the agent decides', async () => {
    const plan = new Plan([DOWN, answer('Done.')]);
    const ail = { decision_points: 'on_error', agent: 'client' };
    expect(await plan.start({ tasks: [ask], config: { ail } })).toMatchObject([
      asking('retry', 'other_model', 'stop'),
    ]);
    await plan.answer({ action: 'retry' });
    expect(await plan.state()).toMatchObject({ status: 'completed' });
  });

  it('is asked about if its answers do not match the schema', async () => {
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const plan = new Plan([answer('no'), answer('no'), answer({ n: 1 })]);
    const task = { ...ask, arguments: { prompt: 'x', schema } };
    expect(await plan.start({ tasks: [task] })).toMatchObject([asking('retry', 'other_model', 'stop')]);
    await plan.answer({ action: 'retry' });
    expect(await plan.state()).toMatchObject({ status: 'completed' });
  });

  it('ends the plan as failed if chosen, naming the task', async () => {
    const plan = new Plan([DOWN]);
    await plan.start({ tasks: [ask] });
    await plan.answer({ action: 'stop' });
    const { status, error } = await plan.state();
    expect([status, error!.code]).toEqual(['failed', 'model_unavailable']);
    expect(error!.message).toMatch(/^ask: /);
  });

  it('keeps earlier answers of the model for the items of a list', async () => {
    const prompt = { $item: '' };
    const map = { items: ['a', 'b', 'c'], tool: 'call_model', width: 1, arguments: { prompt } };
    const task: PlanTask = { id: 'each', tool: 'map', arguments: map, depends_on: [] };
    const plan = new Plan([answer('A'), DOWN, answer('B'), answer('C')]);
    expect(await plan.start({ tasks: [task] })).toMatchObject([asking('retry', 'other_model', 'stop')]);
    await plan.answer({ action: 'retry' });
    const { status, results } = await plan.state();
    expect(status).toBe('completed');
    expect(results.at(-1)!.result).toMatchObject({
      results: [{ answer: 'A' }, { answer: 'B' }, { answer: 'C' }],
    });
    expect(plan.requests).toHaveLength(4);
  });

  it('reports a single item whose answer failed, and completes the others', async () => {
    const refused = new ModelFailure('model_refused', 'The model refused to answer.');
    const map = { items: ['a', 'b'], tool: 'call_model', width: 1, arguments: { prompt: { $item: '' } } };
    const plan = new Plan([refused, answer('B')]);
    const task: PlanTask = { id: 'each', tool: 'map', arguments: map, depends_on: [] };
    expect(await plan.start({ tasks: [task] })).toEqual([]);
    const { results } = await plan.state();
    expect(results.at(-1)!.result).toMatchObject({ failed: 1, failures: [{ code: 'model_refused' }] });
  });
});

describe('X13 a plan whose model fails while it replans', () => {
  const replanned = new AIMessage(
    JSON.stringify({
      understanding: 'The list again.',
      tasks: [{ ...LIST, id: 'again' }],
      outputs: [],
      assumptions: [],
      missing: [],
    }),
  );
  const command = (id: string, command: GivenCommand['command']): GivenCommand => ({ id, command });
  const REPLAN = command('a', { type: 'replan_dag', new_requirement: 'list twice', available_context: {} });

  /** Replans for a command before the first layer. */
  async function byCommand(replies: (AIMessage | Error)[], ...more: GivenCommand[]) {
    const plan = new Plan(replies);
    plan.commands.push(REPLAN, ...more);
    const [asked] = await plan.start({ tasks: [LIST] });
    return { plan, asked };
  }

  const tasksOf = async (plan: Plan) => (await plan.state()).tasks.map(({ id }) => id);

  it('asks, and replans with the model once it is available again', async () => {
    const { plan, asked } = await byCommand([DOWN, replanned]);
    expect(asked).toMatchObject(asking('retry', 'other_model', 'rules', 'stop'));
    expect(asked!.input.details).toMatchObject({ operation: 'replan', model: 'large' });
    expect(asked!.input.question).toContain('let rules replan');
    expect(await plan.answer({ action: 'retry' })).toMatchObject([run('list_inputs')]);
    expect(await tasksOf(plan)).toEqual(['again']);
    expect(await plan.state()).toMatchObject({ replans: 1, requirement: null });
    expect(plan.events.map(({ type }) => type)).not.toContain('replan_failed');
  });

  it('asks again while the model fails, each time with the chosen model', async () => {
    const { plan } = await byCommand([DOWN, DOWN, replanned]);
    const [again] = await plan.answer({ action: 'other_model' });
    expect(again!.input.details).toMatchObject({ operation: 'replan', model: 'small' });
    await plan.answer({ action: 'retry' });
    expect(plan.requests.map(({ tier }) => tier)).toEqual(['main', 'fast', 'fast']);
  });

  it('replans by rules if chosen, and marks it', async () => {
    const { plan } = await byCommand([DOWN]);
    await plan.answer({ action: 'rules' });
    expect(await plan.state()).toMatchObject({ replans: 1, planning: { planned_by: 'rules' } });
    expect(plan.events).toContainEqual(
      expect.objectContaining({ type: 'fallback_used', data: { stage: 'replan' } }),
    );
  });

  it('asks the model again for the next requirement after rules replaced one unusable plan', async () => {
    const useless = new AIMessage('No.');
    const next = command('b', { type: 'replan_dag', new_requirement: 'once more', available_context: {} });
    const { plan, asked } = await byCommand([useless, useless, useless, replanned], next);
    expect(asked!.input.details).toMatchObject({ code: 'model_answer_unusable' });
    await plan.answer({ action: 'rules' });
    expect(await plan.state()).toMatchObject({ replans: 2, planning: { planned_by: 'model' } });
  });

  it('executes later commands once the person has decided', async () => {
    const { plan } = await byCommand([DOWN, replanned], command('b', { type: 'abort', reason: 'Enough.' }));
    expect((await plan.state()).commands_followed).toEqual(['a']);
    expect(await plan.answer({ action: 'retry' })).toEqual([]);
    const { status, commands_followed } = await plan.state();
    expect([status, commands_followed]).toEqual(['aborted', ['a', 'b']]);
  });

  it('ends the plan as failed if chosen, or without an answer in time', async () => {
    const { plan, asked } = await byCommand([DOWN]);
    expect(asked!.input).toMatchObject({ default_answer: { action: 'stop' } });
    expect(await plan.answer({ action: 'stop' })).toEqual([]);
    const { status, error } = await plan.state();
    expect([status, error!.code]).toEqual(['failed', 'model_unavailable']);
    expect(error!.message).toMatch(/^The plan could not be changed: /);
  });

  it('asks about a replan that an agent requested, too', async () => {
    const plan = new Plan([answer('Done.'), DOWN, replanned]);
    const ask: PlanTask = { id: 'ask', tool: 'call_model', arguments: { prompt: 'x' }, depends_on: [] };
    const ail = { decision_points: 'per_layer', agent: 'client' };
    const config = { ail };
    await plan.start({ tasks: [ask, { ...LIST, depends_on: ['ask'] }], config });
    const decided = { action: 'replan_dag', new_requirement: 'list twice', available_context: {} };
    expect(await plan.answer(decided)).toMatchObject([asking('retry', 'other_model', 'rules', 'stop')]);
    expect(await plan.answer({ action: 'retry' })).toMatchObject([run('list_inputs')]);
    expect(await tasksOf(plan)).toEqual(['ask', 'again']);
    expect(plan.requests).toHaveLength(3);
  });
});

describe('X7 a plan whose budget is too low', () => {
  const shortfall = { scope: 'run', unit: 'tokens', spent: 90, reserved: 0, needed: 20, limit: 100 } as const;
  const POOR = new BudgetExceededError(shortfall);
  const ask: PlanTask = { id: 'ask', tool: 'call_model', arguments: { prompt: 'x' }, depends_on: [] };
  const question = { task: 'human_input', input: { decision_type: 'budget_exceeded', budget: shortfall } };

  it('asks, and makes the plan after a top-up', async () => {
    const plan = new Plan([POOR, planned]);
    expect(await plan.start({ intent: 'list the input files' })).toMatchObject([question]);
    expect(await plan.answer({ action: 'top_up', add_tokens: 50 })).toMatchObject([run('list_inputs')]);
    expect(plan.budgets).toEqual([['tokens', 150]]);
  });

  it('repeats the task that lacked it, once, without counting a failed attempt', async () => {
    const plan = new Plan([POOR, answer('Done.')]);
    expect(await plan.start({ tasks: [ask] })).toMatchObject([question]);
    expect(await plan.answer({ action: 'top_up', add_tokens: 50 })).toEqual([]);
    const { status, results } = await plan.state();
    expect([status, results.map(({ status: each }) => each)]).toEqual(['completed', ['failed', 'completed']]);
  });

  it('repeats a requested change of the plan', async () => {
    const command = { type: 'replan_dag' as const, new_requirement: 'list them', available_context: {} };
    const plan = new Plan([POOR, planned]);
    plan.commands.push({ id: 'c1', command });
    expect(await plan.start({ tasks: [{ ...LIST, id: 'first' }] })).toMatchObject([question]);
    await plan.answer({ action: 'top_up', add_tokens: 50 });
    expect((await plan.state()).replans).toBe(1);
    expect(plan.events.map(({ type }) => type)).not.toContain('replan_failed');
  });

  it('is not asked about for a child run, which asked about its own', async () => {
    const child: PlanTask = { id: 'write', tool: 'run_document', arguments: {}, depends_on: [] };
    const plan = new Plan([]);
    expect(await plan.start({ tasks: [child] })).toMatchObject([{ task: 'run' }]);
    expect(await plan.fail({ code: 'budget_exceeded', message: 'The run was stopped.' })).toEqual([]);
    expect(await plan.state()).toMatchObject({ status: 'failed', error: { code: 'task_failed' } });
  });

  it('ends as failed, with its results, if a person stops it', async () => {
    const plan = new Plan([POOR]);
    await plan.start({ tasks: [ask] });
    expect(await plan.answer({ action: 'stop' })).toEqual([]);
    expect(await plan.state()).toMatchObject({ status: 'failed', error: { code: 'budget_exceeded' } });
  });
});
