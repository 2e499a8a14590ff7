import type { ApiClient } from '#testing/api-client.js';
import { startModelStub, type ModelStub, type StubReply } from '#testing/model-stub.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';
import { FILES, task } from './plan-bodies.js';

const DOWN: StubReply = { status: 503, retryAfter: '0' };
const CONTINUE: StubReply = { toolCalls: [{ name: 'continue', arguments: { reason: 'It is fine.' } }] };

describe('plans with a model over HTTP', () => {
  let reply: StubReply = CONTINUE;
  let stack: LeasedStack;
  let stub: ModelStub;
  let tenant: ApiClient;

  beforeAll(async () => {
    stub = await startModelStub({ respond: () => reply });
    stack = await leasedStack('model', { model: stub.baseUrl });
    tenant = await stack.tenant();
  });
  afterAll(async () => {
    await stack.release();
    await stub.stop();
  });

  /** Runs a plan of one task whose layer the model decides about. */
  async function decided(tasks = [task('list', 'list_inputs')]) {
    const session_id = await tenant.sessionWith(FILES);
    const ail = { decision_points: 'per_layer', agent: 'model', deadline_seconds: 1 };
    const { json } = await tenant.post('/api/plans', { session_id, dag: { tasks }, config: { ail } });
    const events = await tenant.events(String(json.id));
    const dataOf = (type: string) => events.find((event) => event.type === type)?.data;
    const plan = (await tenant.get(`/api/plans/${String(json.id)}`)).json;
    return {
      plan,
      failed: dataOf('ail_failed'),
      decision: dataOf('plan_decision'),
      task: dataOf('task_error'),
    };
  }

  it('P6 go on, visibly, while the model is down', async () => {
    reply = DOWN;
    const { plan, failed, decision } = await decided();
    expect(plan).toMatchObject({ status: 'completed', error: null });
    expect(failed).toMatchObject({ code: 'model_unavailable', action_taken: 'continue' });
    expect(decision).toMatchObject({ action: 'continue', by: 'default' });
  });

  it('P6 follow the model once it is back', async () => {
    reply = CONTINUE;
    const { plan, failed, decision } = await decided();
    expect([plan['status'], failed]).toEqual(['completed', undefined]);
    expect(decision).toMatchObject({ action: 'continue', by: 'model', reason: 'It is fine.' });
  });

  it('P6 name the task whose model failed', async () => {
    reply = { status: 429, code: 'insufficient_quota' };
    const { plan, task: failed } = await decided([
      task('ask', 'call_model', { prompt: 'x', schema: { type: 'object' } }),
    ]);
    expect(plan).toMatchObject({ status: 'failed', error: { code: 'task_failed' } });
    expect(failed).toMatchObject({ task_id: 'ask', error: { code: 'model_quota_exceeded' } });
  });

  // The last: the stub holds no answer any more after it.
  it('P6 go on when the model is slower than the deadline', async () => {
    reply = { hold: true };
    const { plan, failed } = await decided();
    stub.release();
    expect(plan['status']).toBe('completed');
    expect(failed).toMatchObject({ code: 'agent_timeout', action_taken: 'continue' });
  });
});
