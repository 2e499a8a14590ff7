import { newId } from '#contracts/ids.js';
import { createDatabase } from '#db/client.js';
import { MAX_SAVED_PLANS } from '#plan/contract/saved-plan-schemas.js';
import type { ApiClient } from '#testing/api-client.js';
import { sharedStack } from '#testing/shared-stack.js';
import { from, task } from './plan-bodies.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- views of plans, read at many depths
type View = any;

/** Rows of a file with an amount of at least `least`, as a file whose name contains the parameter. */
const FILTER = {
  parameters: [
    { name: 'table', kind: 'file', label: 'Table of orders' },
    { name: 'column', kind: 'text', default: 'amount' },
    { name: 'least', kind: 'number' },
  ],
  dag: {
    tasks: [
      task('read', 'read_input', { name: { $parameter: 'table' } }),
      task('parse', 'parse_csv', { text: from('read', '/text') }),
      task('filter', 'query_tables', {
        tables: { t: from('parse', '/rows') },
        sql: { $sql: 'SELECT * FROM t WHERE CAST({column} AS DOUBLE) >= ?' },
        parameters: [{ $parameter: 'least' }],
      }),
      task('save', 'write_file', {
        name: { $text: 'at-least-{least}.csv' },
        content: from('filter', '/rows'),
      }),
    ],
  },
  config: { hil: { approval_required: 'never' } },
};
const ORDERS = { 'orders.csv': 'id,amount\na,5\nb,50\nc,500\n' };

/** Saved plans: parameters, versions, export and import, and ended plans that run again. */
describe('saved plans', () => {
  let tenant: ApiClient;
  beforeAll(async () => {
    tenant = await (await sharedStack()).tenant();
  });

  const save = async (body: object): Promise<View> => {
    const { status, json } = await tenant.post('/api/saved-plans', body);
    expect([status, json.code]).toEqual([201, undefined]);
    return json;
  };
  const ended = async (started: { status: number; json: View }): Promise<View> => {
    expect([started.status, started.json.code]).toEqual([202, undefined]);
    await tenant.events(String(started.json.id));
    return (await tenant.get(`/api/plans/${String(started.json.id)}`)).json;
  };
  const run = (id: string, body: object) => tenant.post(`/api/saved-plans/${id}/runs`, body);
  const written = async (plan: View): Promise<string> => {
    expect(plan).toMatchObject({ status: 'completed', error: null });
    const { id } = plan.files.at(-1);
    return (await tenant.get(`/api/sessions/${plan.session_id}/exports/${id}`)).text;
  };

  it('P12 a saved plan runs with its parameters over other files; the run has plain values', async () => {
    const { id } = await save({ name: 'Large orders', ...FILTER });
    const runOver = async (csv: string, parameters: object) =>
      ended(await run(id, { session_id: await tenant.sessionWith({ 't.csv': csv }), parameters }));
    const many = await runOver(ORDERS['orders.csv'], { table: 't.csv', least: 50 });
    expect(many.files.map(({ name }: View) => name)).toEqual(['at-least-50.csv']);
    expect(await written(many)).toBe('id,amount\r\nb,50\r\nc,500\r\n');
    expect(JSON.stringify(many.tasks)).not.toMatch(/\$parameter|\$sql|\$text/);
    expect(many.tasks[0].arguments).toEqual({ name: 't.csv' });
    // A number may be text, as forms have it; a column name is quoted.
    const one = await runOver('id,net sum\na,7\n', { table: 't.csv', least: '1', column: 'net sum' });
    expect(await written(one)).toBe('id,net sum\r\na,7\r\n');
  });

  it('P12 refuses values that do not fit, before anything runs', async () => {
    const { id } = await save({ name: 'Refusing', ...FILTER });
    const session_id = await tenant.sessionWith(ORDERS);
    const attempt = async (parameters: object) => {
      const { status, json } = await run(id, { session_id, parameters });
      return [status, (json.errors as View[]).map(({ path, message }) => `${path}: ${message}`)];
    };
    expect(await attempt({ table: 'other.csv', least: 'many', more: 1 })).toEqual([
      422,
      [
        'parameters: Unrecognized key: "more"',
        'parameters.table: the session has no file "other.csv"',
        'parameters.least: Invalid input: expected number, received string',
      ],
    ]);
    expect(await attempt({ table: 'orders.csv' })).toEqual([
      422,
      ['parameters.least: is required by the plan'],
    ]);
    const { json } = await tenant.get(`/api/agents/runs?session_id=${session_id}`);
    expect(json.items).toEqual([]);
    expect((await run(id, { parameters: { table: 'orders.csv', least: 1 } })).status).toBe(422);
    expect((await tenant.get('/api/sessions?title=Refusing')).json.items).toEqual([]);
  });

  it('P12 a new version is run by default, an old one by its number; equal content adds none', async () => {
    const { id, version } = await save({ name: 'Versions', ...FILTER });
    const changed = structuredClone(FILTER);
    changed.parameters[2]!.name = 'minimum';
    changed.dag.tasks[2]!.arguments['parameters'] = [{ $parameter: 'minimum' }];
    changed.dag.tasks[3]!.arguments['name'] = 'large.csv';
    const add = async (body: object) => (await tenant.post(`/api/saved-plans/${id}/versions`, body)).json;
    expect([version, (await add(changed)).version, (await add(changed)).version]).toEqual([1, 2, 2]);
    const old = (await tenant.get(`/api/saved-plans/${id}?version=1`)).json as View;
    expect(old).toMatchObject({ version: 2, shown_version: 1, parameters: FILTER.parameters });
    expect(old.versions.map((each: View) => each.version)).toEqual([2, 1]);
    const session_id = await tenant.sessionWith(ORDERS);
    const given = { table: 'orders.csv', minimum: 500 };
    expect(await written(await ended(await run(id, { session_id, parameters: given })))).toContain('c,500');
    const first = await ended(
      await run(id, { session_id, version: 1, parameters: { table: 'orders.csv', least: 1 } }),
    );
    expect(first.files.map(({ name }: View) => name)).toContain('at-least-1.csv');
    expect((await run(id, { session_id, version: 3, parameters: given })).status).toBe(404);
  });

  it('P12 an export is what another tenant can import', async () => {
    const { id } = await save({ name: 'Exported', description: 'Keeps large orders.', ...FILTER });
    const document = (await tenant.get(`/api/saved-plans/${id}/export`)).json;
    expect(document).toMatchObject({ format: 'scriptorium-plan-1', name: 'Exported', ...FILTER });
    const other = await (await sharedStack()).tenant();
    const imported = (await other.post('/api/saved-plans', document)).json as View;
    expect((await other.get(`/api/saved-plans/${imported.id}/export`)).json).toEqual(document);
    expect((await tenant.post('/api/saved-plans', document)).json).toMatchObject({
      code: 'saved_plan_exists',
      detail: expect.stringContaining('"Exported"'),
    });
    expect((await tenant.get('/api/saved-plans?title=xporte')).json.items).toMatchObject([{ id }]);
    await tenant.request('DELETE', `/api/saved-plans/${id}`);
    expect((await tenant.get(`/api/saved-plans/${id}`)).json.code).toBe('not_found');
  });

  it.each([
    [
      'an unknown parameter',
      { dag: { tasks: [task('a', 'list_inputs', { format: { $parameter: 'x' } })] } },
      'invalid_plan',
    ],
    ['an unknown tool', { dag: { tasks: [task('a', 'explode')] } }, 'invalid_plan'],
    [
      'a plan that is too large',
      {
        dag: {
          tasks: ['a', 'b', 'c', 'd', 'e'].map((id) => task(id, 'parse_json', { text: 'x'.repeat(60_000) })),
        },
      },
      'invalid_plan',
    ],
    ['no plan', {}, 'invalid_request'],
    ['parameters of a template', { template: 'list_files', parameters: [] }, 'invalid_request'],
    ['an unknown template', { template: 'nothing' }, 'not_found'],
    ['an unknown run', { run_id: 'run_0' }, 'not_found'],
    [
      'a default that is not a choice',
      {
        parameters: [{ name: 'a', kind: 'choice', choices: ['x'], default: 'y' }],
        dag: { tasks: [task('a', 'list_inputs')] },
      },
      'invalid_request',
    ],
  ])('P12 refuses to save %s', async (_, body, code) => {
    const { json } = await tenant.post('/api/saved-plans', { name: `Refused ${_}`, ...body });
    expect(json.code).toBe(code);
  });

  it('P12 a completed run is saved with its files as parameters, a template with its own', async () => {
    const session_id = await tenant.sessionWith(ORDERS);
    const tasks = [
      task('read', 'read_input', { name: 'orders.csv' }),
      task('save', 'write_file', { name: 'copy.txt', content: from('read', '/text') }),
    ];
    const plan = await ended(await tenant.post('/api/plans', { session_id, dag: { tasks } }));
    const saved = await save({ name: 'From a run', run_id: plan.id });
    expect(saved.parameters).toEqual([{ name: 'file', kind: 'file' }]);
    const other = await tenant.sessionWith({ 'new.csv': 'words' });
    const again = await ended(await run(saved.id, { session_id: other, parameters: { file: 'new.csv' } }));
    expect(await written(again)).toBe('words');
    const copied = await save({ name: 'From a template', template: 'total_by_group' });
    expect(copied.parameters.map(({ name }: View) => name)).toEqual([
      'file',
      'column',
      'group_by',
      'function',
    ]);
  });

  it('P12 an ended plan runs again, with the same and with other files', async () => {
    const session_id = await tenant.sessionWith(ORDERS);
    const values = { file: 'orders.csv', column: 'amount', group_by: 'id', function: 'max' };
    const first = await ended(
      await tenant.post('/api/plans', { session_id, template: 'total_by_group', parameters: values }),
    );
    const repeat = (body: object, id = String(first.id)) => tenant.post(`/api/plans/${id}/again`, body);
    const second = await ended(await repeat({}));
    expect(await written(second)).toBe(await written(first));
    const other = await tenant.sessionWith({ 'may.csv': 'id,amount\nz,1\nz,2\n' });
    const third = await ended(await repeat({ session_id: other, parameters: { file: 'may.csv' } }));
    expect(await written(third)).toBe('id,max_amount\r\nz,2\r\n');
    expect((await repeat({ session_id: other })).json.code).toBe('invalid_request');
    const dag = { tasks: [task('read', 'read_input', { name: 'orders.csv' })] };
    const plain = await ended(await tenant.post('/api/plans', { session_id, dag }));
    const replaced = await ended(
      await repeat({ session_id: other, parameters: { file: 'may.csv' } }, String(plain.id)),
    );
    expect(replaced.tasks[0].arguments).toEqual({ name: 'may.csv' });
  });

  it('P12 a plan that was cancelled in the queue runs again with its graph', async () => {
    const session_id = await tenant.sessionWith(ORDERS);
    const dag = { tasks: [task('read', 'read_input', { name: 'orders.csv' })] };
    const config = { hil: { approval_required: 'always' } };
    const first = await tenant.post('/api/plans', { session_id, dag, config });
    const queued = await tenant.post('/api/agents/runs', {
      ...{ session_id, kind: 'plan', on_conflict: 'enqueue' },
      inputs: { dag },
    });
    for (const { json } of [queued, first]) {
      await tenant.post(`/api/agents/runs/${String(json.id)}/cancel`, {});
      await tenant.events(String(json.id));
    }
    const again = await ended(await tenant.post(`/api/plans/${String(queued.json.id)}/again`, {}));
    expect(again).toMatchObject({
      status: 'completed',
      tasks: [{ id: 'read', arguments: { name: 'orders.csv' } }],
    });
  });

  it('X3 a repeated request with the same key starts one run, in one new session', async () => {
    const { id } = await save({ name: 'Once', dag: { tasks: [task('list', 'list_inputs')] } });
    const start = () =>
      tenant.request('POST', `/api/saved-plans/${id}/runs`, {}, { 'idempotency-key': 'once' });
    const [one, two] = [await start(), await start()];
    expect(two.json.id).toBe(one.json.id);
    expect(await ended(one as never)).toMatchObject({ session_id: two.json.session_id, status: 'completed' });
  });

  it('are limited in number', async () => {
    const stack = await sharedStack();
    const busy = await stack.tenant('tenant with all saved plans');
    const db = createDatabase(stack.database.url, 1);
    const { id: tenantId } = await db.tenant.findFirstOrThrow({
      where: { name: 'tenant with all saved plans' },
    });
    await db.savedPlan.createMany({
      data: Array.from({ length: MAX_SAVED_PLANS }, (_, at) => ({
        id: newId('pln'),
        tenantId,
        name: `plan ${at}`,
        description: '',
      })),
    });
    await db.$disconnect();
    const { status, json } = await busy.post('/api/saved-plans', {
      name: 'One more',
      template: 'list_files',
    });
    expect([status, json.code]).toEqual([409, 'too_many_saved_plans']);
  });
});
