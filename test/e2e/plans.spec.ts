import type { ApiClient } from '#testing/api-client.js';
import { queueColumns } from '#testing/columns.js';
import { type ColumnStack, columnStack } from '#testing/shared-stack.js';
import { until } from '#testing/until.js';
import { FILES, readAndParse, task } from './plan-bodies.js';

/** The scenarios of adaptive plans, over HTTP on the real system, on both queues. */
describe.each(queueColumns())('P plans on the queue in $name', (queue) => {
  let stack: ColumnStack;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await columnStack({ queue });
    tenant = await stack.tenant();
  });
  afterAll(() => stack.stop());

  const plan = async (body: Record<string, unknown>, files: Record<string, string> = FILES) => {
    const session_id = await tenant.sessionWith(files);
    const started = await tenant.post('/api/plans', { session_id, ...body });
    expect([started.status, started.json.code]).toEqual([202, undefined]);
    return String(started.json.id);
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the views of a plan, read at many depths
  const read = async (id: string): Promise<any> => (await tenant.get(`/api/plans/${id}`)).json;
  const command = (id: string, body: unknown) => tenant.post(`/api/plans/${id}/commands`, body);
  const asked = async (id: string, after = 0) => {
    const events = await tenant.events(id, ({ type }) => type === 'decision_required', after);
    return { view: await read(id), seq: events.at(-1)!.seq };
  };
  const ended = async (id: string) => {
    await tenant.events(id);
    return read(id);
  };
  const always = { hil: { approval_required: 'always' } };

  it('P2 P5 asks for approval before each layer, and shows what is decided', async () => {
    const id = await plan({ dag: readAndParse, config: always });
    let seq = 0;
    for (const layer of [0, 1, 2]) {
      const { view, seq: at } = await asked(id, seq);
      seq = at;
      expect(view.status).toBe('approval_required');
      expect(view.approval_required).toMatchObject({
        workflow_id: id,
        decision_type: 'hil',
        options: ['approve', 'reject'],
        context: { completed_layer: layer, next_layer: [{ task_id: ['list', 'read', 'parse'][layer] }] },
      });
      expect(view.approval_required.description).toContain('What your answer does');
      const checkpoint_id = view.approval_required.checkpoint_id as string;
      const accepted = await command(id, { type: 'approval_response', checkpoint_id, approved: true });
      expect([accepted.status, accepted.json.handled]).toEqual([202, 'now']);
    }
    const view = await ended(id);
    expect(view).toMatchObject({ status: 'completed', layers: [['list'], ['read'], ['parse']] });
    expect(view.decisions.map(({ type, action }: Record<string, string>) => `${type} ${action}`)).toEqual([
      'hil approve',
      'hil approve',
      'hil approve',
    ]);
    const result = await tenant.get(`/api/plans/${id}/tasks/parse/result`);
    expect(result.json).toEqual({
      columns: ['name', 'age'],
      rows: [
        { name: 'Ada', age: '36' },
        { name: 'Alan', age: '41' },
      ],
    });
  });

  it('P11 a layer may have as many tasks as a plan', async () => {
    const tasks = Array.from({ length: 200 }, (_, index) => task(`list${index}`, 'list_inputs'));
    const view = await ended(await plan({ dag: { tasks }, config: { hil: { approval_required: 'never' } } }));
    expect(view).toMatchObject({ status: 'completed', error: null });
    expect(view.layers.map((layer: string[]) => layer.length)).toEqual([200]);
  });

  it('P5 a rejected plan ends and keeps its completed work', async () => {
    const id = await plan({ dag: readAndParse, config: always });
    const first = await asked(id);
    const at = (view: { approval_required: { checkpoint_id: string } }) =>
      view.approval_required.checkpoint_id;
    await command(id, { type: 'approval_response', checkpoint_id: at(first.view), approved: true });
    const second = await asked(id, first.seq);
    const stale = await command(id, { type: 'approval_response', checkpoint_id: 'hil-9', approved: true });
    expect([stale.status, stale.json.code]).toEqual([409, 'decision_stale']);
    const answer = {
      type: 'approval_response',
      checkpoint_id: at(second.view),
      approved: false,
      feedback: 'not these',
    };
    expect((await command(id, answer)).status).toBe(202);
    expect((await command(id, answer)).status).toBe(202);
    const other = await command(id, { ...answer, approved: true, feedback: undefined });
    expect([other.status, other.json.code]).toEqual([409, 'decision_answered']);
    const view = await ended(id);
    expect(view).toMatchObject({ status: 'rejected', error: { code: 'plan_rejected' } });
    expect(view.decisions.at(-1)).toMatchObject({ type: 'hil', action: 'reject', reason: 'not these' });
    expect((await tenant.get(`/api/plans/${id}/tasks/list/result`)).json).toMatchObject({
      formats: { csv: 1 },
    });
  });

  it('P6 rejects an invalid approval and asks again; edited arguments take effect', async () => {
    const id = await plan({ dag: { tasks: [task('read', 'read_input', {})] } });
    const { view } = await asked(id);
    const { checkpoint_id, context } = view.approval_required;
    expect(context.next_layer[0].missing).toEqual(['name']);
    for (const wrong of [
      {},
      { arguments: { other: { name: 'x' } } },
      { arguments: { read: { text: 'x' } } },
    ]) {
      const refused = await command(id, {
        type: 'approval_response',
        checkpoint_id,
        approved: true,
        ...wrong,
      });
      expect([refused.status, refused.json.code]).toEqual([422, 'invalid_answer']);
    }
    const given = { read: { name: 'people.csv' } };
    await command(id, { type: 'approval_response', checkpoint_id, approved: true, arguments: given });
    expect((await ended(id)).status).toBe('completed');
    const result = await tenant.get(`/api/plans/${id}/tasks/read/result`);
    expect(result.json.text).toBe(FILES['people.csv']);
  });

  it('P6 without an approval in time, the plan ends or continues as configured', async () => {
    const config = (on_timeout: string) => ({
      hil: { approval_required: 'always', deadline_seconds: 1, on_timeout },
    });
    const dag = { tasks: [task('list', 'list_inputs')] };
    const [aborted, approved] = await Promise.all([
      plan({ dag, config: config('abort') }).then(ended),
      plan({ dag, config: config('approve') }).then(ended),
    ]);
    expect(aborted).toMatchObject({ status: 'rejected', error: { code: 'hil_timeout' } });
    expect(approved.status).toBe('completed');
    expect(approved.decisions[0]).toMatchObject({ by: 'default', action: 'approve' });
    expect((await tenant.events(approved.id)).map(({ type }) => type)).toContain('hil_timeout');
  });

  it('P1 P3 P7 an agent discovers XML and requests a new plan: the parser is added and runs', async () => {
    const config = { ail: { decision_points: 'per_layer', agent: 'client' } };
    const id = await plan({ dag: { tasks: [task('list', 'list_inputs')] }, config });
    const first = await asked(id);
    expect(first.view.approval_required).toMatchObject({
      decision_type: 'ail',
      options: ['continue', 'replan_dag', 'abort'],
    });
    expect(first.view.approval_required.context.results[0].preview).toContain('data.xml');
    const replan = {
      type: 'replan_dag',
      new_requirement: 'parse xml',
      available_context: { name: 'data.xml' },
    };
    expect((await command(id, replan)).json.handled).toBe('now');
    let seq = first.seq;
    for (let layer = 0; layer < 2; layer++) {
      const next = await asked(id, seq);
      seq = next.seq;
      expect((await command(id, { type: 'continue' })).status).toBe(202);
    }
    const view = await ended(id);
    expect(view).toMatchObject({ status: 'completed', replans: 1 });
    expect(view.tasks.map(({ tool }: { tool: string }) => tool)).toEqual([
      'list_inputs',
      'read_input',
      'parse_xml',
    ]);
    expect((await tenant.get(`/api/plans/${id}/tasks/parse_xml/result`)).json).toMatchObject({
      data: { name: 'orders', children: [{ attributes: { id: '7' }, text: 'Tea & honey' }] },
    });
    const updated = (await tenant.events(id)).filter(
      ({ type, data }) => type === 'state_updated' && data['added'],
    );
    expect(updated[0]!.data).toMatchObject({ context_keys: ['dag_replanned'] });
  });

  it('P1 P11 without a model, the rule agent discovers both formats; branches run in parallel', async () => {
    const config = { ail: { decision_points: 'per_layer', agent: 'model' } };
    const dag = { tasks: [task('list', 'list_inputs')] };
    const view = await ended(await plan({ dag, config }));
    expect(view).toMatchObject({ status: 'completed', error: null });
    const tools = view.tasks.map(({ tool }: { tool: string }) => tool) as string[];
    expect(tools).toEqual(expect.arrayContaining(['parse_xml', 'parse_csv']));
    const parallel = {
      tasks: [0, 1, 2, 3].map((n) =>
        task(`t${n}`, 'read_input', { name: n % 2 ? 'data.xml' : 'people.csv' }),
      ),
    };
    const wide = await ended(await plan({ dag: parallel }));
    expect(wide).toMatchObject({ status: 'completed', layers: [['t0', 't1', 't2', 't3']] });
  });

  it('P6 the plan continues if the agent does not answer in time', async () => {
    const config = { ail: { decision_points: 'per_layer', deadline_seconds: 1 } };
    const view = await ended(await plan({ dag: { tasks: [task('list', 'list_inputs')] }, config }));
    expect(view.status).toBe('completed');
    const failed = (await tenant.events(view.id)).find(({ type }) => type === 'ail_failed');
    expect(failed?.data).toMatchObject({ action_taken: 'continue' });
  });

  it('P4 malformed, stale and late commands are rejected, and abort ends the plan', async () => {
    const id = await plan({ dag: readAndParse, config: always });
    await asked(id);
    for (const body of [
      { type: 'fly' },
      { type: 'replan_dag' },
      { type: 'approval_response', approved: true },
      [],
    ]) {
      const refused = await command(id, body);
      expect([refused.status, refused.json.code]).toEqual([422, 'invalid_request']);
    }
    const early = await command(id, { type: 'continue' });
    expect([early.status, early.json.code]).toEqual([409, 'decision_stale']);
    expect((await command(id, { type: 'abort', reason: 'enough' })).json.handled).toBe('now');
    expect(await ended(id)).toMatchObject({ status: 'rejected' });
    const late = await command(id, { type: 'abort' });
    expect([late.status, late.json.code]).toEqual([409, 'run_finished']);
  });

  it('P4 a command during a question to a person takes effect before the next layer', async () => {
    const id = await plan({ dag: { tasks: [task('list', 'list_inputs')] }, config: always });
    const { view, seq } = await asked(id);
    const replan = {
      type: 'replan_dag',
      new_requirement: 'parse csv',
      available_context: { name: 'people.csv' },
    };
    expect((await command(id, replan)).json.handled).toBe('before_next_layer');
    const approve = (checkpoint_id: string) =>
      command(id, { type: 'approval_response', checkpoint_id, approved: true });
    await approve(view.approval_required.checkpoint_id);
    const next = await asked(id, seq);
    expect(next.view.tasks.map(({ tool }: { tool: string }) => tool)).toContain('parse_csv');
    await command(id, { type: 'abort' });
    await ended(id);
  });

  it('P8 a plan that cannot be replanned continues unchanged', async () => {
    const config = { ail: { decision_points: 'per_layer' } };
    const id = await plan({ dag: { tasks: [task('list', 'list_inputs')] }, config });
    await asked(id);
    await command(id, { type: 'replan_dag', new_requirement: 'zzz qqq' });
    expect((await ended(id)).status).toBe('completed');
    const failed = (await tenant.events(id)).find(({ type }) => type === 'replan_failed');
    expect(failed?.data).toMatchObject({ code: 'no_tools', action_taken: 'continue' });
  });

  it('P7 rejects a plan with a cycle or an unknown tool, and a start without plan, request and template', async () => {
    const session_id = await tenant.sessionWith(FILES);
    const refused = async (body: Record<string, unknown>) => {
      const { status, json } = await tenant.post('/api/plans', { session_id, ...body });
      return [status, json.code];
    };
    const circle = [task('a', 'list_inputs', {}, ['b']), task('b', 'list_inputs', {}, ['a'])];
    expect(await refused({ dag: { tasks: circle } })).toEqual([422, 'invalid_plan']);
    expect(await refused({ dag: { tasks: [task('a', 'rm_rf')] } })).toEqual([422, 'invalid_plan']);
    expect(await refused({})).toEqual([422, 'invalid_request']);
    const unnamed = task('file', 'write_file', { name: 'report', content: 'x' });
    expect(await refused({ dag: { tasks: [unnamed] } })).toEqual([422, 'invalid_plan']);
    const typo = task('shape', 'transform_json', { data: {}, expression: 'a[' });
    expect(await refused({ dag: { tasks: [typo] } })).toEqual([422, 'invalid_plan']);
    const dag = { tasks: [task('list', 'list_inputs'), typo] };
    const { json } = await tenant.post('/api/plans', { session_id, dag });
    expect(json.errors).toEqual([expect.objectContaining({ path: 'dag.tasks.1' })]);
    expect((await tenant.get('/api/plans/run_0')).json.code).toBe('not_found');
  });

  it('P13 a failed tool ends the plan with an error that contains no secret', async () => {
    const sql = "SELECT error('password = hunter2secret') FROM users";
    const dag = { tasks: [task('ask', 'query_tables', { tables: { users: [{ a: 1 }] }, sql })] };
    const view = await ended(await plan({ dag }));
    expect(view).toMatchObject({ status: 'failed', error: { code: 'task_failed' } });
    expect(JSON.stringify(view.error)).not.toContain('hunter2secret');
    expect(view.results[0]).toMatchObject({ status: 'failed', error: { code: 'invalid_sql' } });
  });

  it('P7 P13 a query with an error is refused without running, and the problem contains no secret', async () => {
    const session_id = await tenant.sessionWith(FILES);
    const sql = "SELECT * FROM users WHERE password = 'hunter2secret' AND";
    const dag = { tasks: [task('ask', 'query_tables', { tables: { users: [{ a: 1 }] }, sql })] };
    const { status, json, text } = await tenant.post('/api/plans', { session_id, dag });
    expect([status, json.code]).toEqual([422, 'invalid_plan']);
    expect(text).toContain('Task ask (query_tables)');
    expect(text).not.toContain('hunter2secret');
  });

  it('P7 a column that the file lacks ends the plan before its first task', async () => {
    const tasks = [
      task('read', 'read_input', { name: 'orders.csv' }),
      task('rows', 'parse_csv', { text: { $from: 'read', path: '/text' } }),
      task('ask', 'query_tables', {
        tables: { orders: { $from: 'rows', path: '/rows' } },
        sql: 'SELECT customr FROM orders',
      }),
    ];
    const session_id = await tenant.sessionWith({ 'orders.csv': 'customer,amount\nAda,3\n' });
    const { json } = await tenant.post('/api/plans', { session_id, dag: { tasks } });
    const view = await ended(String(json.id));
    expect(view).toMatchObject({ status: 'failed', error: { code: 'invalid_plan' }, results: [] });
    expect(view.error.message).toContain('"customr"');
  });

  it('X21 a request is not planned without a model: the answer names the templates, fitting ones first', async () => {
    const session_id = await tenant.sessionWith(FILES);
    const asked = { session_id, intent: 'join two tables' };
    for (const path of ['/api/plans', '/api/plans/suggestions']) {
      const { status, json } = await tenant.post(path, asked);
      expect([status, json.code]).toEqual([409, 'needs_model']);
      expect((json.alternatives as string[])[0]).toBe('join_tables');
      expect(json.detail).toContain('join_tables');
    }
    const { items } = (await tenant.get(`/api/agents/runs?session_id=${session_id}`)).json;
    expect(items).toEqual([]);
  });

  it('P7 X21 without a session, tools are named for a request, without arguments from its words', async () => {
    const { json } = await tenant.post('/api/plans/suggestions', { intent: 'parse people.csv' });
    expect(json).toMatchObject({ planned_by: 'rules', not_covered: ['parse people.csv'] });
    expect(JSON.stringify(json.tasks)).not.toContain('people.csv');
    expect(json.missing).toContainEqual({ task_id: 'parse_csv', parameter: 'text' });
  });

  it('X21 a template runs as it is, with its parameters', async () => {
    const { items } = (await tenant.get('/api/plans/templates')).json as {
      items: { name: string; parameters: { name: string }[] }[];
    };
    expect(items.map(({ name }) => name)).toContain('total_by_group');
    const parameters = { file: 'people.csv', column: 'age', group_by: 'name', function: 'max' };
    const view = await ended(await plan({ template: 'total_by_group', parameters }));
    expect(view).toMatchObject({ status: 'completed', planning: null, files: [{ name: 'totals.csv' }] });
    const { session_id, files } = view;
    const written = await tenant.get(`/api/sessions/${session_id}/exports/${files[0].id}`);
    expect(written.text).toBe('name,max_age\r\nAda,36\r\nAlan,41\r\n');
  });

  it.each([
    [{ template: 'none' }, 'template'],
    [{ template: 'extract_text' }, 'parameters.file'],
    [{ template: 'extract_text', parameters: { file: 'a', more: 'b' } }, 'parameters'],
    [{ template: 'list_files', dag: { tasks: [task('a', 'list_inputs')] } }, ''],
    [{ intent: 'list', parameters: { file: 'a' } }, ''],
  ])('X21 rejects a template that does not fit: %j', async (body, path) => {
    const session_id = await tenant.sessionWith(FILES);
    const { status, json } = await tenant.post('/api/plans', { session_id, ...body });
    expect([status, json.code]).toEqual([422, 'invalid_request']);
    expect((json.errors as { path: string }[]).map((each) => each.path)).toContain(path);
  });

  it('P9 learns from a plan that succeeded: edges, requests, and more confidence the next time', async () => {
    const other = await stack.tenant();
    const asked = { intent: 'parse csv', context: { name: 'people.csv' } };
    const confidence = async () =>
      (await other.post('/api/plans/suggestions', asked)).json.confidence as number;
    const before = await confidence();
    const session_id = await other.sessionWith({ 'people.csv': FILES['people.csv'] });
    const started = await other.post('/api/plans', { session_id, intent: 'ages', dag: readAndParse });
    await other.completed(String(started.json.id));
    const edges = async () => {
      const graph = (await other.get('/api/tools/graph')).json as {
        edges: { from: string; to: string; count: number; confidence: number }[];
      };
      return graph.edges.map(({ from: a, to: b, count, confidence: c }) => `${a}→${b} ${count} ${c}`).sort();
    };
    const learnt = await until('the plan is learnt from', edges, (found) => found.length > 0);
    expect(learnt).toEqual(['list_inputs→read_input 1 0.5', 'read_input→parse_csv 1 0.5']);
    expect(await confidence()).toBeGreaterThan(before);
    expect((await tenant.get('/api/tools/graph')).text).not.toContain(session_id);
    const reset = await other.post('/api/tools/graph/reset');
    expect(reset.json).toMatchObject({ edges: [], requests: [] });
    expect(await confidence()).toBe(before);
  });

  it('P12 lists tools, the best matches of a request first', async () => {
    const all = (await tenant.get('/api/tools')).json.items as { name: string }[];
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['list_inputs', 'query_tables', 'parse_xml']),
    );
    const best = (await tenant.get('/api/tools?query=parse%20xml&limit=1')).json.items as { name: string }[];
    expect(best.map(({ name }) => name)).toEqual(['parse_xml']);
  });
});
