import { ApiClient, type RunView } from '#testing/api-client.js';
import { exampleFiles } from '#testing/examples.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { TEST_ADMIN_PASSWORD, TestStack } from '#testing/test-stack.js';

const ANSWER_TOKENS = 200;
/** Millionths per million tokens: a token in costs 3, one out 15. */
const PRICE = { input: 3_000_000, output: 15_000_000 };
const FINAL = ['completed', 'failed', 'cancelled'];

/** X7: budgets of runs and tenants, and the model usage that they limit, with a model over HTTP. */
describe('X7 budgets', () => {
  let stack: TestStack;
  let stub: ModelStub;
  let operator: ApiClient;

  beforeAll(async () => {
    stub = await startModelStub({
      faults: { 2: { status: 500 }, 4: { cutAfter: 1_000 }, 7: { cutAfter: 2 } },
    });
    stack = await TestStack.start({
      workers: { tools: 0 },
      env: {
        OPENAI_API_KEY: 'sk-test',
        OPENAI_BASE_URL: stub.baseUrl,
        OPENAI_MODEL: 'stub-model',
        MODEL_PRICES: JSON.stringify({ 'stub-model': PRICE }),
        BUDGETED_ANSWER_TOKENS: String(ANSWER_TOKENS),
      },
    });
    operator = new ApiClient(stack.url, null);
  });
  afterAll(async () => {
    await stack.stop();
    await stub.stop();
  });

  const asOperator = (method: string, path: string, body?: object) =>
    operator.request(method, path, body, {
      authorization: `Basic ${Buffer.from(`admin:${TEST_ADMIN_PASSWORD}`).toString('base64')}`,
    });
  const idOf = async (name: string) => {
    const { items } = (await asOperator('GET', '/api/admin/tenants')).json as {
      items: { id: string; name: string }[];
    };
    return items.find((tenant) => tenant.name === name)!.id;
  };
  const start = async (tenant: ApiClient, budget: object): Promise<RunView> => {
    const session_id = await tenant.sessionWith(exampleFiles('handover'));
    const response = await tenant.post('/api/agents/runs', { session_id, budget, priority: 9 });
    expect(response.status).toBe(202);
    expect(response.json).toMatchObject({ priority: 9, usage: { budget } });
    return response.json as RunView;
  };
  /** Follows a run to its end; gives the answer to each budget decision. */
  const answering = async (tenant: ApiClient, runId: string, answer: (needed: number) => object) => {
    let pauses = 0;
    let after = 0;
    for (;;) {
      const events = await tenant.events(runId, ({ type }) => type === 'decision_required', after);
      const run = await tenant.run(runId);
      if (FINAL.includes(run.status)) return { run, pauses };
      after = events.at(-1)!.seq;
      const { decision_id } = events.at(-1)!.data as { decision_id: string };
      const asked = (await tenant.get(`/api/decisions/${decision_id}`)).json as {
        decision_type: string;
        budget: { spent: number; reserved: number; needed: number; limit: number };
      };
      expect(asked.decision_type).toBe('budget_exceeded');
      const { spent, reserved, needed, limit } = asked.budget;
      expect(spent + reserved + needed).toBeGreaterThan(limit);
      expect(run.usage.reserved).toEqual({ tokens: 0, cost: 0 });
      pauses += 1;
      const answered = await tenant.post(
        `/api/decisions/${decision_id}/answer`,
        answer(spent + needed - limit),
      );
      expect(answered.status).toBe(200);
    }
  };
  const sentSince = (first: number) => {
    const sent = stub.reported.slice(first);
    return {
      input: sent.reduce((sum, { prompt_tokens }) => sum + prompt_tokens, 0),
      output: sent.reduce((sum, { completion_tokens }) => sum + completion_tokens, 0),
    };
  };

  it('park a run before each call that might exceed them; after a top-up it repeats no call, and its usage equals the provider’s', async () => {
    const tenant = await stack.tenant('tokens');
    const run = await start(tenant, { max_tokens: 1 });
    const { run: ended, pauses } = await answering(tenant, run.id, (lacking) => ({
      action: 'top_up',
      add_tokens: lacking,
    }));
    expect(ended.status).toBe('completed');
    expect(pauses).toBeGreaterThan(2);
    const sent = sentSince(0);
    expect([ended.usage.input_tokens, ended.usage.output_tokens]).toEqual([sent.input, sent.output]);
    expect(ended.usage.cost).toBe(sent.input * 3 + sent.output * 15);
    // Two requests failed without usage. The request that broke off after reporting usage exhausted the budget, so the
    // run parked, and a new step made the call. Every other request is the only call of its step.
    expect(stub.reported).toHaveLength(stub.requests.length - 2);
    expect(ended.usage.model_calls).toBe(stub.reported.length);
    expect(stub.requests.every(({ max_tokens }) => max_tokens === ANSWER_TOKENS)).toBe(true);
    const used = ended.usage.input_tokens + ended.usage.output_tokens;
    expect(ended.usage.budget.max_tokens).toBeGreaterThanOrEqual(used);

    const { items } = (await asOperator('GET', '/api/admin/usage')).json as {
      items: { name: string; input_tokens: number; output_tokens: number; cost: number }[];
    };
    const { input_tokens, output_tokens, cost } = items.find(({ name }) => name === 'tokens')!;
    expect({ input_tokens, output_tokens, cost }).toEqual({
      input_tokens: sent.input,
      output_tokens: sent.output,
      cost: ended.usage.cost,
    });
  });

  it('end a run with budget_exceeded if a person stops it, and keep the manuscript', async () => {
    const tenant = await stack.tenant('stopped');
    const run = await start(tenant, { max_cost: 1 });
    let answers = 0;
    const { run: ended } = await answering(tenant, run.id, (lacking) =>
      answers++ < 8 ? { action: 'top_up', add_cost: lacking } : { action: 'stop' },
    );
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'budget_exceeded' } });
    expect(await tenant.manuscript(run.session_id)).not.toBe('');
  });

  it('of a tenant’s month apply to all its runs; a run retries after the operator raises them', async () => {
    const tenant = await stack.tenant('month');
    const tenantPath = `/api/admin/tenants/${await idOf('month')}`;
    const limits = { max_monthly_tokens: 1_000, weight: 3 };
    expect((await asOperator('POST', tenantPath, limits)).json).toMatchObject(limits);
    const first = stub.reported.length;
    const runs = await Promise.all([start(tenant, {}), start(tenant, {})]);
    for (const { id } of runs) {
      const decision = await tenant.decision(id);
      expect(decision).toMatchObject({ budget: { scope: 'tenant', unit: 'tokens', limit: 1_000 } });
      const refused = await tenant.post(`/api/decisions/${decision.id}/answer`, {
        action: 'top_up',
        add_tokens: 1,
      });
      expect([refused.status, refused.json.code]).toEqual([422, 'invalid_answer']);
    }
    await asOperator('POST', tenantPath, { max_monthly_tokens: 1_000_000 });
    for (const { id } of runs) {
      const { run } = await answering(tenant, id, () => ({ action: 'retry' }));
      expect(run.status).toBe('completed');
    }
    const { input, output } = sentSince(first);
    expect((await asOperator('POST', tenantPath, { max_monthly_tokens: 1 })).json.monthly_tokens).toBe(
      input + output,
    );
    const refused = await tenant.post('/api/agents/runs', { session_id: runs[0]!.session_id });
    expect([refused.status, refused.json.code]).toEqual([429, 'token_quota_exceeded']);
  });

  it('are charged only for calls that the provider reported if a runner is killed during one', async () => {
    const tenant = await stack.tenant('killed');
    const first = stub.reported.length;
    const run = await start(tenant, { max_tokens: 10_000_000 });
    for (const chapter of [1, 2]) {
      await tenant.events(run.id, ({ type, data }) => type === 'node_complete' && data.chapter === chapter);
      stack.kill('agent-runner');
    }
    const ended = await tenant.completed(run.id);
    const { input, output } = sentSince(first);
    const answered = (await tenant.events(run.id)).filter(
      ({ type, data }) => type === 'node_complete' && data.node === 'agent',
    );
    expect(ended.usage.model_calls).toBe(answered.length);
    expect(ended.usage.input_tokens).toBeLessThanOrEqual(input);
    expect(ended.usage.output_tokens).toBeLessThanOrEqual(output);
    expect(ended.usage.reserved).toEqual({ tokens: 0, cost: 0 });
  });
});
