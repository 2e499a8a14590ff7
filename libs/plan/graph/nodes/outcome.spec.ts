import { planConfigSchema } from '../../contract/values.js';
import type { NewRunEvent } from '#catalogue/events.js';
import { Command, MemorySaver } from '@langchain/langgraph';
import { buildPlanGraph } from '../definition.js';
import type { PlanPorts } from '../ports.js';
import { newPlanState, type PlanState } from '../state.js';

interface Asked {
  task: string;
  input: { tool?: string; decision_type?: string; details?: { results: unknown[] } };
}

/** Runs a plan with two calls that charge a customer; the second depends on the first. */
class Plan {
  readonly events: NewRunEvent[] = [];
  private readonly graph;
  private readonly config = { configurable: { thread_id: 'run' } };

  constructor() {
    const tool = { sideEffects: true, input: {} };
    const ports: Partial<PlanPorts> = {
      tools: () => Promise.resolve({ tools: new Map([['shop/pay', tool as never]]) }),
      givenCommands: () => Promise.resolve([]),
      closeCommands: () => Promise.resolve([]),
      keepLesson: () => Promise.resolve(),
      keepResult: (task, value) =>
        Promise.resolve({ result_key: `results/${task}`, bytes: 4, result: value, preview: 'null' }),
      emit: (event) => void this.events.push(event),
    };
    this.graph = buildPlanGraph(ports as PlanPorts).compile({ checkpointer: new MemorySaver() });
  }

  start(config: object = {}): Promise<Asked[]> {
    const task = (id: string, depends_on: string[]) => ({ id, tool: 'shop/pay', arguments: {}, depends_on });
    return this.run(
      newPlanState({
        session_id: 'ses',
        input_files: [],
        intent: null,
        tasks: [task('pay', []), task('tell', ['pay'])],
        config: planConfigSchema.parse({ hil: { approval_required: 'never' }, ...config }),
        context: {},
      }),
    );
  }

  /** Resumes the waiting plan with a result. */
  answer(result: object): Promise<Asked[]> {
    return this.run(new Command({ resume: result }));
  }

  private async run(input: object): Promise<Asked[]> {
    await this.graph.invoke(input as never, this.config);
    const { tasks } = await this.graph.getState(this.config);
    return tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => value as Asked));
  }

  async state(): Promise<PlanState> {
    return (await this.graph.getState(this.config)).values as PlanState;
  }
}

const broken = { ok: false, error: { code: 'outcome_unknown', message: 'It is not known.' } };
const paid = { ok: true, output: { result_key: 'results/pay', bytes: 4, result: 1, preview: '1' } };
const said = (answer: object) => ({ ok: true, output: answer });

describe('a call of a plan that broke off', () => {
  it.each(['end', 'retry', 'ask'])(
    'is asked about, and repeated only if the answer requests it: %s',
    async (rule) => {
      const plan = new Plan();
      await plan.start({ on_task_error: rule });
      const [asked] = await plan.answer(broken);
      expect(asked).toMatchObject({ task: 'human_input', input: { decision_type: 'plan_outcome' } });
      expect(asked!.input.details!.results).toMatchObject([{ task_id: 'pay', error: broken.error }]);
      const [again] = await plan.answer(said({ action: 'repeat' }));
      expect(again).toMatchObject({ task: 'run_tool', input: { plan_task: 'pay' } });
      const [next] = await plan.answer(paid);
      expect(next).toMatchObject({ task: 'run_tool', input: { plan_task: 'tell' } });
    },
  );

  it('can be marked as done without a result, and the plan continues', async () => {
    const plan = new Plan();
    await plan.start();
    await plan.answer(broken);
    const [next] = await plan.answer(said({ action: 'done' }));
    expect(next).toMatchObject({ task: 'run_tool', input: { plan_task: 'tell' } });
    await plan.answer(paid);
    expect(await plan.state()).toMatchObject({ status: 'completed', error: null });
    expect(plan.events.filter(({ type }) => type === 'task_complete')).toHaveLength(2);
  });

  it.each([
    [{ action: 'failed' }, { status: 'failed', error: { code: 'task_failed' } }],
    [{ action: 'abort' }, { status: 'aborted', error: { code: 'plan_aborted' } }],
    [
      { action: 'abort', by: 'default' },
      { status: 'failed', error: { code: 'outcome_unknown' } },
    ],
  ])('ends the plan by %j', async (answer, end) => {
    const plan = new Plan();
    await plan.start();
    await plan.answer(broken);
    expect(await plan.answer(said(answer))).toEqual([]);
    expect(await plan.state()).toMatchObject(end);
  });

  it('keeps an answer about items for the calls that it was asked about only', async () => {
    const plan = new Plan();
    await plan.start();
    const interrupted = (...interrupted_items: number[]) => ({
      ok: true,
      output: { result_key: 'results/pay', bytes: 4, result: null, preview: 'null', interrupted_items },
    });
    await plan.answer(interrupted(1, 2));
    const [again] = await plan.answer(said({ action: 'repeat', items: { 2: 'done' } }));
    expect(again!.input).toMatchObject({ outcomes: { items: { 1: 'repeat', 2: 'done' } } });
    await plan.answer(broken);
    const [asked] = await plan.answer(said({ action: 'repeat' }));
    expect(asked!.input).not.toHaveProperty('outcomes');
  });
});
