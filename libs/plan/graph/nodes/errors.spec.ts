import { PlanInMemory, planAnswer } from '#testing/plan-in-memory.js';
import type { PlanTask } from '../../contract/values.js';

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
