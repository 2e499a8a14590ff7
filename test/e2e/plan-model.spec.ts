import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, runCli } from '#testing/cli.js';
import { startModelStub, type ModelStub, type StubReply } from '#testing/model-stub.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';
import { until } from '#testing/until.js';
import { tmpdir } from 'node:os';
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
  async function decided(limits: { deadline_seconds?: number } = {}) {
    const session_id = await tenant.sessionWith(FILES);
    const tasks = [task('list', 'list_inputs')];
    const ail = { decision_points: 'per_layer', agent: 'model', ...limits };
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

  it('X20 fail alone if checking an answer by their schema never ends', async () => {
    reply = { toolCalls: [{ name: 'answer', arguments: { answer: `${'a'.repeat(40)}!` } }] };
    const neighbour = await stack.tenant();
    const start = async (of: ApiClient, tasks: object[]) => {
      const session_id = await of.sessionWith(FILES);
      const config = { hil: { approval_required: 'never' } };
      const { json } = await of.post('/api/plans', { session_id, dag: { tasks }, config });
      return String(json.id);
    };
    const schema = { type: 'string', pattern: '^(a+)+$' };
    const hostile = await start(tenant, [task('ask', 'call_model', { prompt: 'Say it', schema })]);
    const other = await start(neighbour, [task('list', 'list_inputs')]);
    await neighbour.events(other);
    expect((await neighbour.get(`/api/plans/${other}`)).json).toMatchObject({ status: 'completed' });
    await tenant.events(hostile);
    const plan = (await tenant.get(`/api/plans/${hostile}`)).json;
    const { error } = (plan['results'] as { error: { code: string; message: string } }[])[0]!;
    expect(error).toMatchObject({ code: 'time_limit', message: expect.stringContaining('schema') });
  });

  it('P6 continue visibly while the model is unavailable', async () => {
    reply = DOWN;
    const { plan, failed, decision } = await decided();
    expect(plan).toMatchObject({ status: 'completed', error: null });
    expect(failed).toMatchObject({ code: 'model_unavailable', action_taken: 'continue' });
    expect(decision).toMatchObject({ action: 'continue', by: 'default' });
  });

  it('P6 follow the model when it is available again', async () => {
    reply = CONTINUE;
    const { plan, failed, decision } = await decided();
    expect([plan['status'], failed]).toEqual(['completed', undefined]);
    expect(decision).toMatchObject({ action: 'continue', by: 'model', reason: 'It is fine.' });
  });

  /** Starts a plan and waits until it asks about its model; returns a function that answers and follows it. */
  async function asked(body: object) {
    const session_id = await tenant.sessionWith(FILES);
    const { json } = await tenant.post('/api/plans', { session_id, ...body });
    const id = String(json.id);
    const question = await tenant.decision(id);
    return {
      question,
      async answer(action: string) {
        await tenant.post(`/api/decisions/${question.id}/answer`, { action });
        const events = await tenant.events(id);
        return { plan: (await tenant.get(`/api/plans/${id}`)).json, events };
      },
    };
  }

  it('X13 ask about a task whose model failed, and repeat it or end with the reason', async () => {
    reply = { status: 429, code: 'insufficient_quota' };
    const dag = { tasks: [task('ask', 'call_model', { prompt: 'x' })] };
    const [first, second] = [await asked({ dag }), await asked({ dag })];
    expect(first.question).toMatchObject({
      decision_type: 'model_failed',
      details: {
        code: 'model_quota_exceeded',
        operation: 'call_model',
        choices: ['retry', 'other_model', 'stop'],
      },
    });
    const { plan, events } = await first.answer('stop');
    expect(plan).toMatchObject({ status: 'failed', error: { code: 'model_quota_exceeded' } });
    expect(events.find(({ type }) => type === 'task_error')?.data).toMatchObject({ task_id: 'ask' });
    reply = { toolCalls: [{ name: 'answer', arguments: { answer: 'Back.' } }] };
    expect((await second.answer('retry')).plan).toMatchObject({ status: 'completed' });
  });

  it('X13 X21 ask about a planner that failed; rules cannot plan in its place', async () => {
    reply = DOWN;
    const { question, answer } = await asked({ intent: 'list the input files' });
    expect(question.details).toMatchObject({
      operation: 'plan',
      choices: ['retry', 'other_model', 'stop'],
    });
    replies = [PLAN];
    const { plan } = await answer('retry');
    expect(plan).toMatchObject({ planning: { planned_by: 'model' } });
  });

  it('X13 explain on the command line how to answer, and end with exit code 1 when they fail', async () => {
    reply = DOWN;
    const env = cliEnv(tenant);
    const run = ['plan', 'run', 'list the input files'];
    const { code, stderr } = await runCli(run, { cwd: tmpdir(), env });
    expect([code, stderr]).toEqual([1, expect.stringContaining("--answer 'action=retry|other_model|stop'")]);
    const ended = await runCli([...run, '--answer', 'action=stop'], { cwd: tmpdir(), env });
    expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining('model_unavailable')]);
  });

  it('P7 are suggested by the model over the files of a session, without running', async () => {
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
    expect(runs.json.items).toMatchObject([{ kind: 'plan', mode: 'suggest', status: 'completed' }]);
    const listed = async (mode: string) =>
      (await tenant.get(`/api/agents/runs?kind=plan&mode=${mode}&session_id=${session_id}`)).json.items;
    expect([(await listed('run')) as object[], ((await listed('suggest')) as object[]).length]).toEqual([
      [],
      1,
    ]);
    expect((await tenant.get(`/api/sessions/${session_id}/exports`)).json.items).toEqual([]);
    const { json } = await tenant.post('/api/plans/suggestions', { intent: 'list the input files' });
    expect(json).toMatchObject({ planned_by: 'rules', not_covered: ['list the input files'] });
    expect(json.tasks).toContainEqual(expect.objectContaining({ tool: 'list_inputs' }));
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
    // The plan is JSON and therefore not streamed to clients.
    expect(events.filter(({ type }) => type === 'token')).toEqual([]);
    const [first, second] = stub.requests.slice(-2);
    expect(JSON.stringify(first!.messages)).toContain('  | Ada,36');
    expect(JSON.stringify(second!.messages)).toContain('there is no input file');
  });

  it('P7 end a request that cannot be planned with the missing parts, and ask about a partial plan', async () => {
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

  it('P8 replan by the model, which drops and adds steps that have not run', async () => {
    const session_id = await tenant.sessionWith(FILES);
    const config = { hil: { approval_required: 'always' } };
    const dag = {
      tasks: [task('list', 'list_inputs'), task('xml', 'read_input', { name: 'data.xml' }, ['list'])],
    };
    const { json } = await tenant.post('/api/plans', { session_id, intent: 'total age', dag, config });
    const id = String(json.id);
    const path = `/api/plans/${id}`;
    const checkpointOf = (plan: Record<string, unknown>) =>
      (plan['approval_required'] as { checkpoint_id: string } | null)?.checkpoint_id;
    const asked = async (answered?: string): Promise<Record<string, unknown>> =>
      until(
        'the plan asks',
        async () => (await tenant.get(path)).json,
        (plan) => plan['status'] === 'approval_required' && checkpointOf(plan) !== answered,
      );
    const checkpoint_id = checkpointOf(await asked());
    replies = [PLAN];
    await tenant.post(`${path}/commands`, { type: 'replan_dag', new_requirement: 'the total age' });
    await tenant.post(`${path}/commands`, { type: 'approval_response', checkpoint_id, approved: true });
    const tasks = ((await asked(checkpoint_id))['tasks'] as { id: string }[]).map((each) => each.id);
    expect(tasks).toEqual(['read', 'rows', 'total', 'file']);
    await tenant.post(`/api/agents/runs/${id}/cancel`, {});
  });

  // The last test: afterwards, the stub holds back no answer.
  it('P6 continue if the model is slower than the deadline', async () => {
    reply = { hold: true };
    const { plan, failed } = await decided({ deadline_seconds: 1 });
    stub.release();
    expect(plan['status']).toBe('completed');
    expect(failed).toMatchObject({ code: 'agent_timeout', action_taken: 'continue' });
  });
});
