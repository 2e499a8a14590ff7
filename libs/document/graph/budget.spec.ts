import { answerSchema, type DecisionRequest } from '#catalogue/decisions.js';
import type { BudgetShortfall } from '#contracts/budgets.js';
import type { TaskResult } from '#catalogue/tasks.js';
import { runDocument } from '#testing/graph-harness.js';
import { INPUTS, writer } from '#testing/two-chapters.js';
import { BudgetExceededError, type ModelPort } from '#kit/graph/ports.js';

const shortfall = (overrides: Partial<BudgetShortfall> = {}): BudgetShortfall => ({
  scope: 'run',
  unit: 'tokens',
  spent: 700,
  reserved: 20,
  needed: 300,
  limit: 1_000,
  ...overrides,
});

/** A model whose calls of these numbers (from 1) do not fit into the budget. */
function tightModel(refused: number[], lack = shortfall()): ModelPort['call'] {
  let calls = 0;
  return async (request) => {
    calls += 1;
    if (refused.includes(calls)) throw new BudgetExceededError(lack);
    return writer(request);
  };
}

const answering = (output: Record<string, unknown>) => (): Promise<TaskResult> =>
  Promise.resolve({ ok: true, output });

describe('X7 a model call that does not fit into a budget', () => {
  it('leads to a question, and after the top-up the run continues unchanged', async () => {
    const undisturbed = await runDocument({ inputs: INPUTS, model: writer });
    const run = await runDocument({
      inputs: INPUTS,
      model: tightModel([1, 3, 4]),
      answers: { human_input: answering({ action: 'top_up', add_tokens: 500 }) },
    });
    expect(run.state.status).toBe('completed');
    expect(run.manuscript).toBe(undisturbed.manuscript);
    expect(run.state.agent_steps).toBe(undisturbed.state.agent_steps);
    expect(run.path.filter((node) => node === 'budget_decision')).toHaveLength(3);
    expect(run.budgets).toEqual([1, 2, 3].map(() => ['tokens', 1_500]));
    expect(run.repeatedEffects).toEqual([]);
    const asked = run.tasks.find(({ request }) => request.task === 'human_input')!.request.input;
    expect(asked).toMatchObject({ decision_type: 'budget_exceeded', budget: shortfall() });
    expect((asked as Partial<DecisionRequest> as DecisionRequest).question).toMatch(
      /700 of 1000 tokens .* 20 more .* 300\b/,
    );
    expect((asked as Partial<DecisionRequest> as DecisionRequest).default_answer).toEqual({ action: 'stop' });
  });

  it('ends the run with budget_exceeded if a person stops it or nobody answers; the manuscript is kept', async () => {
    const failed: TaskResult = { ok: false, error: { code: 'gone', message: 'gone' } };
    for (const human_input of [answering({ action: 'stop' }), () => Promise.resolve(failed)]) {
      const run = await runDocument({ inputs: INPUTS, model: tightModel([3]), answers: { human_input } });
      expect(run.state).toMatchObject({ status: 'failed', error_type: 'budget_exceeded' });
      expect(run.state.last_error).toContain('700');
      expect(run.state.temp_md_path).not.toBeNull();
      expect(run.budgets).toEqual([]);
    }
  });

  it('is retried for a budget of the tenant, without changing the run’s own budget', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: tightModel([2], shortfall({ scope: 'tenant', unit: 'cost' })),
      answers: { human_input: answering({ action: 'retry' }) },
    });
    expect(run.state.status).toBe('completed');
    expect(run.budgets).toEqual([]);
    // The amounts are millionths; people read the currency.
    const asked = run.tasks.find(({ request }) => request.task === 'human_input')!.request.input;
    expect((asked as Partial<DecisionRequest> as DecisionRequest).question).toMatch(
      / 0\.0007 of 0\.001 is used, 0\.00002 more .* 0\.0003\./,
    );
  });

  it.each<[Partial<BudgetShortfall>, Record<string, unknown>, boolean]>([
    [{}, { action: 'top_up', add_tokens: 5 }, true],
    [{}, { action: 'stop' }, true],
    [{}, { action: 'top_up' }, false],
    [{}, { action: 'top_up', add_cost: 5 }, false],
    [{}, { action: 'stop', add_tokens: 5 }, false],
    [{}, { action: 'top_up', add_tokens: 0 }, false],
    [{}, { action: 'top_up', add_tokens: 1.5 }, false],
    [{}, { action: 'retry' }, false],
    [{ unit: 'cost' }, { action: 'top_up', add_cost: 5 }, true],
    [{ scope: 'tenant' }, { action: 'retry' }, true],
    [{ scope: 'tenant' }, { action: 'stop' }, true],
    [{ scope: 'tenant' }, { action: 'top_up', add_tokens: 5 }, false],
  ])('%j accepts the answer %j: %s', (lack, answer, fits) => {
    const request = { decision_type: 'budget_exceeded', references: [], budget: shortfall(lack) };
    const schema = answerSchema(request as Partial<DecisionRequest> as DecisionRequest);
    expect(schema.safeParse(answer).success).toBe(fits);
  });
});
