import type { ApiClient } from '#testing/api-client.js';
import { startModelStub, type ModelStub, type StubReply } from '#testing/model-stub.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';
import { until } from '#testing/until.js';
import { FILES, from, task } from './plan-bodies.js';

const DOWN: StubReply = { status: 503, retryAfter: '0' };
const CONTINUE: StubReply = { toolCalls: [{ name: 'continue', arguments: { reason: 'It is fine.' } }] };

const READ = { ...task('read', 'read_input', { name: 'people.csv' }), purpose: 'read the people' };
const PLAN = {
  understanding: 'The total age.',
  tasks: [
    READ,
    task('rows', 'parse_csv', { text: from('read', '/text') }),
    task('total', 'aggregate', {
      rows: from('rows', '/rows'),
      measures: [{ column: 'age', function: 'sum' }],
    }),
    task('file', 'write_file', { name: 'total.csv', content: from('total', '/rows') }),
  ],
  outputs: [{ task: 'file', description: 'the total age' }],
  assumptions: ['Ages are in years.'],
};

describe('plans with a model over HTTP', () => {
  let reply: StubReply = CONTINUE;
  /** Plans that the model answers with before anything else. */
  let replies: object[] = [];
  let stack: LeasedStack;
  let stub: ModelStub;
  let tenant: ApiClient;

  beforeAll(async () => {
    stub = await startModelStub({
      respond: () => {
        const plan = replies.shift();
        return plan ? { text: JSON.stringify(plan) } : reply;
      },
    });
    stack = await leasedStack('model', { model: stub.baseUrl });
    tenant = await stack.tenant();
  });
  afterAll(async () => {
    await stack.release();
    await stub.stop();
  });

  /** Runs a request that the model plans with these answers, in turn. */
  async function planned(...answers: object[]) {
    replies = answers;
    const session_id = await tenant.sessionWith(FILES);
    const { json } = await tenant.post('/api/plans', { session_id, intent: 'total age' });
    const id = String(json.id);
    const plan = await until(
      'the plan ends or asks',
      async () => (await tenant.get(`/api/plans/${id}`)).json,
      ({ status, planning }) =>
        planning !== null && ['completed', 'failed', 'approval_required'].includes(String(status)),
    );
    return { plan, events: plan['finished_at'] === null ? [] : await tenant.events(id) };
  }

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

  it('P7 are suggested by the model over the files of a session, without being run', async () => {
    replies = [PLAN];
    const session_id = await tenant.sessionWith(FILES);
    const suggested = await tenant.post('/api/plans/suggestions', { session_id, intent: 'total age' });
    expect(suggested).toMatchObject({
      status: 200,
      json: {
        planned_by: 'model',
        understanding: 'The total age.',
        assumptions: ['Ages are in years.'],
        layers: [['read'], ['rows'], ['total'], ['file']],
        not_covered: [],
      },
    });
    const runs = await tenant.get(`/api/agents/runs?session_id=${session_id}`);
    expect(runs.json.items).toMatchObject([{ kind: 'plan', status: 'completed' }]);
    expect((await tenant.get(`/api/sessions/${session_id}/exports`)).json.items).toEqual([]);
    const { json } = await tenant.post('/api/plans/suggestions', { intent: 'list the input files' });
    expect(json).toMatchObject({ planned_by: 'rules', tasks: [{ tool: 'list_inputs' }] });
    const unknown = await tenant.post('/api/plans/suggestions', { session_id: 'ses_0', intent: 'x' });
    expect(unknown.json.code).toBe('not_found');
    replies = Array<object>(3).fill({ ...PLAN, tasks: [task('a', 'no_tool')] });
    const unusable = await tenant.post('/api/plans/suggestions', { session_id, intent: 'total age' });
    expect(unusable.json).toMatchObject({ code: 'model_failed', detail: expect.stringContaining('no_tool') });
  });

  it('P7 plan a request by the model, correct its plan once, and show how it was understood', async () => {
    const { plan, events } = await planned(
      { ...PLAN, tasks: [{ ...READ, arguments: { name: 'none.csv' } }] },
      PLAN,
    );
    expect(plan).toMatchObject({
      status: 'completed',
      planning: { planned_by: 'model', understanding: 'The total age.', assumptions: ['Ages are in years.'] },
      files: [{ name: 'total.csv' }],
      tasks: [{ id: 'read', purpose: 'read the people' }, {}, {}, {}],
    });
    expect(events.find(({ type }) => type === 'plan_created')?.data).toMatchObject({ planned_by: 'model' });
    // The plan is JSON, which nobody reads as it is written.
    expect(events.filter(({ type }) => type === 'token')).toEqual([]);
    const [first, second] = stub.requests.slice(-2);
    expect(JSON.stringify(first!.messages)).toContain('  | Ada,36');
    expect(JSON.stringify(second!.messages)).toContain('there is no input file');
  });

  it('P7 end a request that cannot be planned with what is missing, and ask about one planned in part', async () => {
    const none = await planned({ ...PLAN, tasks: [], outputs: [], missing: ['The ages of 2027.'] });
    expect(none.plan).toMatchObject({
      status: 'failed',
      error: { code: 'plan_incomplete', message: 'The ages of 2027.' },
    });
    const part = await planned({ ...PLAN, missing: ['The ages of 2027.'] });
    expect(part.plan).toMatchObject({
      status: 'approval_required',
      planning: { missing: ['The ages of 2027.'] },
    });
    await tenant.post(`/api/agents/runs/${String(part.plan['id'])}/cancel`, {});
  });

  it('P8 replan by the model: it drops and adds what has not run', async () => {
    const session_id = await tenant.sessionWith(FILES);
    const config = { hil: { approval_required: 'always' } };
    const dag = {
      tasks: [task('list', 'list_inputs'), task('xml', 'read_input', { name: 'data.xml' }, ['list'])],
    };
    const { json } = await tenant.post('/api/plans', { session_id, intent: 'total age', dag, config });
    const id = String(json.id);
    const path = `/api/plans/${id}`;
    const asked = async (): Promise<Record<string, unknown>> =>
      until(
        'the plan asks',
        async () => (await tenant.get(path)).json,
        ({ status }) => status === 'approval_required',
      );
    const approve = async () => {
      const { checkpoint_id } = (await asked())['approval_required'] as { checkpoint_id: string };
      await tenant.post(`${path}/commands`, { type: 'approval_response', checkpoint_id, approved: true });
    };
    await asked();
    replies = [PLAN];
    await tenant.post(`${path}/commands`, { type: 'replan_dag', new_requirement: 'the total age' });
    await approve();
    const tasks = ((await asked())['tasks'] as { id: string }[]).map((each) => each.id);
    expect(tasks).toEqual(['read', 'rows', 'total', 'file']);
    await tenant.post(`/api/agents/runs/${id}/cancel`, {});
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
