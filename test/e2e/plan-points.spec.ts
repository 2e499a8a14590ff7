import { createDatabase } from '#db/client.js';
import type { ApiClient } from '#testing/api-client.js';
import { says, startMcpServer } from '#testing/mcp-server.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { until } from '#testing/until.js';
import { FILES, readAndParse, task } from './plan-bodies.js';

const broken = task('broken', 'parse_json', { text: '{' });
const never = { approval_required: 'never' };

/** When a plan asks, whom it asks, and the effect of repeated commands. */
describe('the decision points of plans', () => {
  let stack: SharedStack;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
  });

  const plan = async (dag: object, config: object) => {
    const session_id = await tenant.sessionWith(FILES);
    const started = await tenant.post('/api/plans', { session_id, dag, config });
    expect([started.status, started.json.code]).toEqual([202, undefined]);
    return String(started.json.id);
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the views of a plan, read at many depths
  const read = async (id: string): Promise<any> => (await tenant.get(`/api/plans/${id}`)).json;
  const command = (id: string, body: unknown, key?: string) =>
    tenant.request('POST', `/api/plans/${id}/commands`, body, key ? { 'idempotency-key': key } : {});
  const asked = async (id: string, after = 0) => {
    const events = await tenant.events(id, ({ type }) => type === 'decision_required', after);
    return { open: (await read(id)).approval_required, seq: events.at(-1)!.seq };
  };
  const eventsOfType = async (id: string, type: string) =>
    (await tenant.events(id)).filter((event) => event.type === type).map(({ data }) => data);

  it('P1 on_error asks only after a failed layer; continue retries it', async () => {
    const dag = { tasks: [task('list', 'list_inputs'), { ...broken, depends_on: ['list'] }] };
    const id = await plan(dag, { ail: { decision_points: 'on_error' }, hil: never });
    const first = await asked(id);
    expect(first.open).toMatchObject({ decision_type: 'ail', context: { completed_layer: 2 } });
    expect((await command(id, { type: 'continue' })).json.handled).toBe('now');
    const second = await asked(id, first.seq);
    expect(second.open.checkpoint_id).not.toBe(first.open.checkpoint_id);
    await command(id, { type: 'abort', reason: 'it is no JSON' });
    expect(await eventsOfType(id, 'task_error')).toHaveLength(2);
    expect(await read(id)).toMatchObject({ status: 'rejected', error: { message: 'it is no JSON' } });
  });

  it('is shown in the response to its start as it was stored; a repeated start begins no other plan', async () => {
    const session_id = await tenant.sessionWith(FILES);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const start = () => tenant.request('POST', '/api/plans', { session_id, dag: readAndParse }, headers);
    const { json } = await start();
    expect(json).toMatchObject({ session_id, status: 'queued', phase: null, tasks: [], finished_at: null });
    expect(await eventsOfType(String(json.id), 'plan_created')).toHaveLength(1);
    expect(await read(String(json.id))).toMatchObject({ status: 'completed', created_at: json.created_at });
    expect((await start()).json.id).toBe(json.id);
  });

  it.each(['manual', 'off'])('P1 %s asks nobody', async (decision_points) => {
    const id = await plan(readAndParse, { ail: { decision_points }, hil: never });
    expect(await eventsOfType(id, 'decision_required')).toEqual([]);
    expect((await read(id)).status).toBe('completed');
  });

  it('P1 P4 manual asks the agent once when a command requests a decision', async () => {
    const id = await plan(readAndParse, {
      ail: { decision_points: 'manual' },
      hil: { approval_required: 'always' },
    });
    const first = await asked(id);
    const requested = await command(id, { type: 'request_decision', reason: 'look at the files' });
    expect(requested.json.handled).toBe('before_next_layer');
    const approval = { type: 'approval_response', checkpoint_id: first.open.checkpoint_id, approved: true };
    await command(id, approval);
    const { open } = await asked(id, first.seq);
    expect(open).toMatchObject({ decision_type: 'ail', context: { completed_layer: 0 } });
    expect(open.description).toContain('A command requested a decision.');
    await command(id, { type: 'abort', reason: 'enough' });
    expect(await eventsOfType(id, 'plan_decision')).toHaveLength(3);
    expect(await read(id)).toMatchObject({
      decisions: [
        { type: 'hil' },
        { action: 'request_decision', reason: 'look at the files' },
        { action: 'abort' },
      ],
    });
  });

  it('P5 critical_only asks only before the layer with side effects', async () => {
    const fetch = task('fetch', 'fetch_url', { url: 'https://example.org/' }, ['read']);
    const dag = { tasks: [...readAndParse.tasks.slice(0, 2), fetch] };
    const id = await plan(dag, {});
    const { open } = await asked(id);
    expect(open).toMatchObject({
      decision_type: 'hil',
      context: { completed_layer: 2, next_layer: [{ task_id: 'fetch', side_effects: true }] },
    });
    await command(id, { type: 'approval_response', checkpoint_id: open.checkpoint_id, approved: false });
    expect(await eventsOfType(id, 'decision_required')).toHaveLength(1);
    expect((await read(id)).status).toBe('rejected');
  });

  it('P4 a command that is repeated with its Idempotency-Key takes effect once, also after it was handled', async () => {
    const id = await plan(readAndParse, { hil: { approval_required: 'always' } });
    const { open, seq } = await asked(id);
    const [replanKey, approvalKey] = [crypto.randomUUID(), crypto.randomUUID()];
    const anew = { type: 'replan_dag', new_requirement: 'zzz' };
    const answer = { type: 'approval_response', checkpoint_id: open.checkpoint_id, approved: true };
    const once = await command(id, anew, replanKey);
    expect((await command(id, anew, replanKey)).json).toEqual(once.json);
    const approved = await command(id, answer, approvalKey);
    await asked(id, seq);
    expect([
      (await command(id, answer, approvalKey)).json,
      (await command(id, anew, replanKey)).json,
    ]).toEqual([approved.json, once.json]);
    await command(id, { type: 'abort' });
    const decided = (await eventsOfType(id, 'plan_decision')).map(({ type, action }) => [type, action]);
    expect(decided).toEqual([
      ['hil', 'approve'],
      ['command', 'replan_dag'],
      ['hil', 'reject'],
    ]);
  });

  it('P4 a repeated command whose response was lost does not answer a later decision', async () => {
    const id = await plan(readAndParse, { ail: { decision_points: 'per_layer' }, hil: never });
    const first = await asked(id);
    const key = crypto.randomUUID();
    const once = await command(id, { type: 'continue' }, key);
    const second = await asked(id, first.seq);
    const db = createDatabase(stack.database.url, 1);
    await db.$executeRaw`
      UPDATE idempotency_keys SET status = NULL, body = NULL, created_at = now() - interval '1 minute' WHERE key = ${key}`;
    await db.$disconnect();
    expect((await command(id, { type: 'continue' }, key)).json).toEqual(once.json);
    expect((await read(id)).approval_required).toEqual(second.open);
    await command(id, { type: 'abort' });
    await tenant.events(id);
  });

  it('P11 asks about an interrupted call, and repeats it only if the answer requests it', async () => {
    const by = await (await sharedStack('private')).tenant();
    let calls = 0;
    const server = await startMcpServer([{ name: 'pay', description: 'Pays', run: () => says('paid') }]);
    server.intercept = (_, response, body) => {
      if (!body.includes('"tools/call"') || ++calls > 1) return false;
      response.destroy();
      return true;
    };
    try {
      const { id: serverId } = (await by.post('/api/mcp/servers', { name: 'shop', url: server.url })).json;
      const known = async () => (await by.get(`/api/mcp/servers/${String(serverId)}`)).json.status;
      await until('the tool is known', known, (status) => status === 'ready');
      await by.post(`/api/mcp/servers/${String(serverId)}/approvals`, { tools: ['pay'] });
      const session_id = (await by.post('/api/sessions', {})).json.id;
      const dag = { tasks: [task('pay', 'shop/pay')] };
      const config = { hil: never, on_task_error: 'retry' };
      const id = String((await by.post('/api/plans', { session_id, dag, config })).json.id);
      await by.events(id, ({ type }) => type === 'decision_required');
      const { approval_required: open } = (await by.get(`/api/plans/${id}`)).json as {
        approval_required: { decision_id: string };
      };
      expect(open).toMatchObject({
        decision_type: 'outcome',
        context: { results: [{ error: { code: 'outcome_unknown' } }], next_layer: [{ task_id: 'pay' }] },
        options: ['repeat', 'done', 'failed', 'abort'],
      });
      expect(calls).toBe(1);
      await by.post(`/api/decisions/${open.decision_id}/answer`, { action: 'repeat' });
      await by.completed(id);
      expect((await by.get(`/api/plans/${id}/tasks/pay/result`)).json).toEqual({ text: 'paid' });
      expect(calls).toBe(2);
    } finally {
      await server.stop();
    }
  });

  it.each([
    ['end', 1],
    ['retry', 2],
  ])(
    'P11 a task that fails ends the plan by on_task_error: %s, after %i attempts',
    async (rule, attempts) => {
      const id = await plan({ tasks: [broken] }, { on_task_error: rule });
      expect(await eventsOfType(id, 'task_error')).toHaveLength(attempts);
      expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'task_failed' } });
    },
  );

  it('P1 on_task_error: ask asks the clients that follow the plan', async () => {
    const id = await plan({ tasks: [broken] }, { on_task_error: 'ask', hil: never });
    expect((await asked(id)).open).toMatchObject({ decision_type: 'ail' });
    await command(id, { type: 'abort' });
    await tenant.events(id);
  });
});
