import { createDatabase } from '#db/client.js';
import { newSigningSecret, signatureHeaders } from '#gateway/webhooks/sender.js';
import { ApiClient } from '#testing/api-client.js';
import { cliEnv, runCli } from '#testing/cli.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { until } from '#testing/until.js';
import { tmpdir } from 'node:os';

type Json = Record<string, unknown>;

describe('triggers', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let planId: string;

  beforeAll(async () => {
    stack = await sharedStack('private');
    tenant = await stack.tenant();
    const tasks = [
      { id: 'table', tool: 'read_input', arguments: { name: { $parameter: 'file' } } },
      {
        id: 'note',
        tool: 'write_file',
        arguments: { name: { $text: 'for-{city}.md' }, content: { $text: 'City: {city}' } },
        depends_on: ['table'],
      },
    ];
    const parameters = [
      { name: 'file', kind: 'file' },
      { name: 'city', kind: 'text', default: 'nowhere' },
    ];
    const config = { hil: { approval_required: 'never' } };
    const plan = { name: 'By event', parameters, dag: { tasks }, config };
    const made = await tenant.post('/api/saved-plans', plan);
    expect(made.status).toBe(201);
    planId = String(made.json.id);
  });

  const firings = async (id: string) => (await tenant.get(`/api/schedules/${id}`)).json.firings as Json[];
  const started = async (id: string, count: number) =>
    until(
      'the runs are started',
      () => firings(id),
      (all) =>
        all.length === count && all.every(({ status }) => !['waiting', 'due'].includes(String(status))),
    );

  async function webhook(event_parameters: object) {
    const saved_plan = { saved_plan_id: planId, event_parameters };
    const { status, json } = await tenant.post('/api/schedules', {
      name: 'Orders',
      saved_plan,
      on: { webhook: {} },
    });
    expect([status, json]).toMatchObject([201, { on: { webhook: {} }, next_at: null, overlap: 'queue' }]);
    return { id: String(json.id), secret: String(json.secret) };
  }

  async function deliver(
    id: string,
    secret: string,
    messageId: string,
    body: object,
    seconds = Date.now() / 1_000,
  ) {
    const text = JSON.stringify(body);
    const headers = signatureHeaders([secret], messageId, Math.floor(seconds), text);
    const response = await fetch(`${stack.url}/api/triggers/${id}/deliveries`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: text,
    });
    return { status: response.status, json: (await response.json()) as Json };
  }

  it('start a saved plan once for each signed delivery, with values of its body', async () => {
    const { id, secret } = await webhook({ file: '/file', city: '/body/city' });
    const body = { city: 'Gdynia', lines: [{ item: 'lamp', price: 12 }] };
    const first = await deliver(id, secret, 'msg_1', body);
    expect([first.status, first.json]).toMatchObject([202, { event: 'msg_1', is_manual: false }]);
    expect((await deliver(id, secret, 'msg_1', body)).status).toBe(202);
    const [firing] = await started(id, 1);
    expect(firing).toMatchObject({ status: 'started', problem: null });
    const run = await tenant.completed(String(firing!.run_id));
    const plan = (await tenant.get(`/api/plans/${String(firing!.run_id)}`)).json;
    expect(JSON.stringify(plan)).toContain('for-Gdynia.md');
    expect(run.session_id).toMatch(/^ses_/);
  });

  it('refuse deliveries that are not signed, too old, or of no trigger, and those to a paused one', async () => {
    const { id, secret } = await webhook({ file: '/file' });
    expect((await deliver(id, newSigningSecret(), 'msg_1', {})).json.code).toBe('unauthorized');
    expect((await deliver(id, secret, 'msg_1', {}, Date.now() / 1_000 - 400)).json.code).toBe('unauthorized');
    expect((await new ApiClient(stack.url, null).post(`/api/triggers/${id}/deliveries`, {})).status).toBe(
      401,
    );
    expect((await deliver('sch_none', secret, 'msg_1', {})).status).toBe(404);
    await tenant.request('PATCH', `/api/schedules/${id}`, { is_paused: true });
    expect((await deliver(id, secret, 'msg_1', {})).json.code).toBe('schedule_paused');
    await tenant.request('PATCH', `/api/schedules/${id}`, { is_paused: false });
    expect(await firings(id)).toEqual([]);
    expect((await deliver(id, secret, 'msg_1', {})).status).toBe(202);
  });

  it('get a new secret, which is shown once and replaces the old one', async () => {
    const { id, secret } = await webhook({ city: '/body/city' });
    const { status, json } = await tenant.post(`/api/triggers/${id}/secret`);
    expect([status, json]).toMatchObject([200, { id, secret: expect.stringMatching(/^whsec_/) }]);
    expect(json.secret).not.toBe(secret);
    expect((await tenant.get(`/api/schedules/${id}`)).text).not.toContain(String(json.secret));
    expect((await deliver(id, secret, 'msg_1', {})).json.code).toBe('unauthorized');
    expect((await deliver(id, String(json.secret), 'msg_1', {})).status).toBe(202);
    const rotated = await runCli(['trigger', 'rotate', id], { cwd: tmpdir(), env: cliEnv(tenant) });
    const [, address, shown] = rotated.stdout.trimEnd().split('\n');
    expect(address).toBe(`POST /api/triggers/${id}/deliveries`);
    expect((await deliver(id, shown!, 'msg_2', {})).status).toBe(202);
    const session = await tenant.sessionWith({ 'a.csv': 'a\n' });
    const plain = { name: 'Plain', every_seconds: 3_600, start: { session_id: session } };
    const other = await tenant.post('/api/schedules', plain);
    const refused = await tenant.post(`/api/triggers/${String(other.json.id)}/secret`);
    expect([refused.status, refused.json.code]).toEqual([404, 'not_found']);
  });

  it('show a secret once, and store it sealed', async () => {
    const { id, secret } = await webhook({ file: '/file' });
    expect((await tenant.get(`/api/schedules/${id}`)).text).not.toContain(secret);
    const db = createDatabase(stack.database.url, 1);
    const row = await db.schedule.findUniqueOrThrow({ where: { id } });
    await db.$disconnect();
    expect(row.secret).toMatch(/^sealed:/);
    const body = { name: 'Again', saved_plan: { saved_plan_id: planId }, on: { webhook: {} } };
    const repeated = async () =>
      (await tenant.request('POST', '/api/schedules', body, { 'idempotency-key': `key-of-${id}` })).json;
    const [made, replayed] = [await repeated(), await repeated()];
    expect(replayed).toEqual({ ...made, secret: '(shown once)' });
  });

  it('start a plan with a new input of a session, and one with a new source of a collection', async () => {
    const session = await tenant.sessionWith({ 'old.csv': 'a\n1\n' });
    const saved_plan = { saved_plan_id: planId, session_id: session, event_parameters: { file: '/file' } };
    const on = { new_file: { session_id: session } };
    const { json: inbox } = await tenant.post('/api/schedules', { name: 'Inbox', saved_plan, on });
    await tenant.upload(session, { 'new.csv': 'a\n2\n' });
    const [firing] = await started(String(inbox.id), 1);
    expect(firing).toMatchObject({ event: 'new.csv', status: 'started' });
    await tenant.completed(String(firing!.run_id));
    const { json: collection } = await tenant.post('/api/knowledge/collections', { name: 'Inbox' });
    const files = { new_file: { collection_id: collection.id } };
    const listing = { saved_plan_id: planId, session_id: session, parameters: { file: 'old.csv' } };
    const indexed = await tenant.post('/api/schedules', {
      name: 'Indexed',
      saved_plan: { ...listing, event_parameters: { city: '/name' } },
      on: files,
    });
    const sources = `/api/knowledge/collections/${String(collection.id)}/sources`;
    await tenant.post(sources, { name: 'note', text: 'The lamp was lit.' });
    const [source] = await started(String(indexed.json.id), 1);
    expect(source).toMatchObject({ event: 'note', status: 'started' });
  });

  it.each([
    [{ on: { webhook: {} }, cron: '* * * * *' }, 'cron'],
    [{ on: {} }, 'on'],
    [{ on: { webhook: {}, new_file: { session_id: 'x' } } }, 'on'],
    [{ on: { new_file: {} } }, 'on.new_file'],
    [{ on: { webhook: {} }, until: '2030-01-01T00:00:00Z' }, 'until'],
    [
      {
        on: { new_file: { collection_id: 'col_1' } },
        saved_plan: undefined,
        sync: { collection_id: 'col_1' },
      },
      'sync.collection_id',
    ],
  ])('are refused with %j', async (more, path) => {
    const body = { name: 'x', saved_plan: { saved_plan_id: planId }, ...more };
    const { status, json } = await tenant.post('/api/schedules', body);
    expect([status, JSON.stringify(json.errors)]).toEqual([422, expect.stringContaining(`"path":"${path}"`)]);
  });

  it('are added and listed from a terminal', async () => {
    const cli = (...args: string[]) => runCli(['trigger', ...args], { cwd: tmpdir(), env: cliEnv(tenant) });
    const pointers = ['--saved-plan', planId, '--event-parameters', '{"file": "/file"}'];
    const added = await cli('add', 'Shell', '--webhook', ...pointers);
    expect([added.code, added.stderr]).toEqual([0, '']);
    const [, id] = /POST \/api\/triggers\/(sch_\w+)\/deliveries\nwhsec_/.exec(added.stdout)!;
    expect((await cli('list')).stdout).toContain(`${id}  Shell  webhook\n`);
    expect((await cli('remove', id!)).code).toBe(0);
  });
});
