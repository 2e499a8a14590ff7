import { PlanInMemory, planAnswer, type Asked } from '#testing/plan-in-memory.js';
import { dependenciesOf } from '../../contract/dependencies.js';
import type { PlanTask } from '../../contract/values.js';
import { resolveArguments } from '../../dag/dag.js';
import { warningsOf } from '../../dag/warnings.js';

const list: PlanTask = { id: 'list', tool: 'list_inputs', arguments: {}, depends_on: [] };
const read = (name: string): PlanTask => ({
  id: 'read',
  tool: 'parse_json',
  arguments: { text: name },
  depends_on: ['list'],
});
const done = { result_key: 'results/x', bytes: 2, result: {}, preview: '{}' };
const failure = { code: 'invalid_input', message: 'The text is not JSON.' };
const types = (plan: PlanInMemory) => plan.events.map(({ type }) => type);

describe('P8 the error of a task in a plan that a model made', () => {
  it('is given to the planner, whose new plan keeps what ran', async () => {
    const plan = new PlanInMemory([planAnswer(list, read('{')), planAnswer(read('{}'))]);
    await plan.start({ intent: 'read' });
    await plan.answer(done);
    expect(await plan.fail(failure)).toMatchObject([{ task: 'run_tool', input: { tool: 'parse_json' } }]);
    const prompt = plan.requests[1]!.messages.map(({ text }) => text).join('\n');
    expect(prompt).toContain('read: The text is not JSON.');
    expect(prompt).toContain('"id":"list"');
    await plan.answer(done);
    expect(await plan.state()).toMatchObject({ status: 'completed', replans: 1 });
  });

  it('ends the plan with this error if the planner finds no other way', async () => {
    const nothing = planAnswer();
    nothing.content = JSON.stringify({
      ...(JSON.parse(nothing.text) as object),
      missing: ['The file is damaged.'],
    });
    const plan = new PlanInMemory([planAnswer(list, read('{')), nothing]);
    await plan.start({ intent: 'read' });
    await plan.answer(done);
    expect(await plan.fail(failure)).toEqual([]);
    expect(await plan.state()).toMatchObject({ status: 'failed', error: { code: 'task_failed' } });
    expect(types(plan)).toContain('replan_failed');
  });

  it('is given to the planner at most three times', async () => {
    const again = () => planAnswer(read('{'));
    const plan = new PlanInMemory([planAnswer(list, read('{')), again(), again(), again(), again()]);
    await plan.start({ intent: 'read' });
    await plan.answer(done);
    for (let attempt = 0; attempt < 3; attempt++)
      expect(await plan.fail(failure)).toMatchObject([{ task: 'run_tool' }]);
    expect(await plan.fail(failure)).toEqual([]);
    expect(plan.requests).toHaveLength(4);
    expect(await plan.state()).toMatchObject({ status: 'failed', error: { code: 'task_failed' } });
  });

  it('ends the plan if the config says so, or if a client wrote the plan', async () => {
    const byModel = new PlanInMemory([planAnswer(list)]);
    await byModel.start({ intent: 'read', config: { on_task_error: 'end' } });
    const byClient = new PlanInMemory([]);
    await byClient.start({ tasks: [list] });
    for (const plan of [byModel, byClient]) {
      expect(await plan.fail(failure)).toEqual([]);
      expect(await plan.state()).toMatchObject({ status: 'failed', error: { code: 'task_failed' } });
      expect(types(plan)).not.toContain('replan_failed');
    }
  });
});

const step = (id: string, more: Partial<PlanTask> = {}): PlanTask => ({ ...list, id, ...more });
const from = (id: string, value?: unknown) => ({
  $from: id,
  path: '/text',
  ...(value !== undefined && { default: value }),
});
const ids = (asked: Asked[]) => asked.map(({ input }) => input.plan_task);

describe('P11 the error of a task', () => {
  it('does not stop the branches that do not depend on it; the plan then fails with it', async () => {
    const plan = new PlanInMemory([]);
    await plan.start({ tasks: [step('a'), step('b', { depends_on: ['a'] })] });
    expect(await plan.fail(failure)).toEqual([]);
    const both = new PlanInMemory([]);
    const tasks = [
      step('root'),
      step('bad', { depends_on: ['root'] }),
      step('after', { depends_on: ['bad'] }),
    ];
    const later = [step('good', { depends_on: ['root'] }), step('end', { depends_on: ['good'] })];
    await both.start({ tasks: [...tasks, ...later] });
    expect(ids(await both.answer(done))).toEqual(['bad', 'good']);
    expect(ids(await both.end({ bad: failure }))).toEqual(['end']);
    expect(await both.answer(done)).toEqual([]);
    const { status, error, results } = await both.state();
    expect([status, error!.code]).toEqual(['failed', 'task_failed']);
    expect(error!.message).toContain('bad');
    expect(results.map(({ task_id }) => task_id)).not.toContain('after');
  });

  it('leaves out only what needs its result, if the plan may continue, with a warning', async () => {
    const plan = new PlanInMemory([]);
    const tasks = [
      step('bad', { continue_on_error: true }),
      step('order', { depends_on: ['bad'] }),
      step('needs', { arguments: { format: from('bad') } }),
      step('merged', { arguments: { format: from('needs', from('bad', 'csv')) } }),
    ];
    await plan.start({ tasks });
    expect(ids(await plan.fail(failure))).toEqual(['order']);
    expect(ids(await plan.answer(done))).toEqual(['merged']);
    await plan.answer(done);
    const state = await plan.state();
    expect(state.status).toBe('completed');
    expect(state.results.find(({ task_id }) => task_id === 'needs')).toMatchObject({ status: 'skipped' });
    expect(warningsOf(state).map(({ code, task_id }) => [code, task_id])).toEqual([
      ['task_failed', 'bad'],
      ['no_files', null],
    ]);
  });

  it('does not run again after a replan that keeps the step, if the plan may continue', async () => {
    const plan = new PlanInMemory([], [], [], true);
    const tasks = [
      step('bad', { continue_on_error: true }),
      step('order', { depends_on: ['bad'] }),
      step('end', { depends_on: ['order'] }),
    ];
    await plan.start({ tasks });
    expect(ids(await plan.fail(failure))).toEqual(['order']);
    const command = { type: 'replan_dag' as const, new_requirement: 'parse JSON', available_context: {} };
    plan.commands.push({ id: 'cmd', command: { ...command, available_context: { text: '{}' } } });
    const asked = ids(await plan.answer(done));
    expect(await plan.state()).toMatchObject({ replans: 1, given_up: ['bad'] });
    expect(asked).toContain('end');
    expect(asked).not.toContain('bad');
  });

  it('is repeated as often as the task says, whose time limit the worker gets', async () => {
    const plan = new PlanInMemory([]);
    const [asked] = await plan.start({ tasks: [step('a', { retries: 2, timeout_seconds: 5 })] });
    expect(asked!.input).toMatchObject({ timeout_ms: 5_000 });
    expect(await plan.fail(failure)).toHaveLength(1);
    expect(await plan.fail(failure)).toHaveLength(1);
    expect(await plan.fail(failure)).toEqual([]);
  });

  it('of items of a map is a warning', async () => {
    const plan = new PlanInMemory([]);
    await plan.start({ tasks: [step('each')] });
    await plan.answer({ ...done, failed_items: 2 });
    expect(warningsOf(await plan.state())).toMatchObject([
      { code: 'items_failed', message: '2 items of each failed.' },
      { code: 'no_files' },
    ]);
  });
});

describe('P11 a value of two branches', () => {
  it('is the first that exists, else the default', () => {
    const merged = from('then', from('else', 'none'));
    const of = (results: Record<string, unknown>) =>
      resolveArguments(merged, new Map(Object.entries(results)));
    expect(of({ then: { text: 'a' } })).toBe('a');
    expect(of({ else: { text: 'b' } })).toBe('b');
    expect(of({})).toBe('none');
    expect(dependenciesOf(step('x', { arguments: { merged } }))).toEqual(['then', 'else']);
  });
});
