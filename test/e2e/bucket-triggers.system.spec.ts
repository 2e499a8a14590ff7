import { createClient } from '#storage/s3-store.js';
import { createDatabase, type Database } from '#db/client.js';
import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, succeedCli } from '#testing/cli.js';
import { everyStoreColumn } from '#testing/columns.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { until } from '#testing/until.js';
import type { Client } from 'minio';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';

type Json = Record<string, unknown>;

/** Issue 63: a new object under a prefix starts one run, whatever happens meanwhile. */
describe('triggers of a bucket', () => {
  const column = everyStoreColumn().find(({ name }) => name === 's3');
  if (column?.name !== 's3') throw new Error('This spec needs MinIO.');
  const { endpoint, accessKey, secretKey } = column;
  const bucket = `inbox-${randomBytes(6).toString('hex')}`;
  const place = { endpoint, bucket, access_key_id: accessKey };
  const s3_prefix = { ...place, prefix: 'orders/', secret_access_key: secretKey };
  let stack: SharedStack;
  let tenant: ApiClient;
  let bucketClient: Client;
  let db: Database;
  let planId: string;

  beforeAll(async () => {
    stack = await sharedStack('private');
    tenant = await stack.tenant();
    db = createDatabase(stack.database.url, 1);
    bucketClient = await createClient({ endpoint, bucket, accessKey, secretKey });
    await bucketClient.makeBucket(bucket, 'us-east-1');
    const tasks = [
      { id: 'read', tool: 'read_input', arguments: { name: { $parameter: 'file' } } },
      {
        id: 'note',
        tool: 'write_file',
        arguments: { name: 'copy.md', content: 'Read.' },
        depends_on: ['read'],
      },
    ];
    const plan = {
      name: 'Copy',
      parameters: [{ name: 'file', kind: 'file' }],
      dag: { tasks },
      config: { hil: { approval_required: 'never' } },
    };
    const made = await tenant.post('/api/saved-plans', plan);
    expect(made.status).toBe(201);
    planId = String(made.json.id);
  });
  afterAll(() => db.$disconnect());

  const put = (name: string, text: string) => bucketClient.putObject(bucket, name, text);
  const trigger = async (more: object = {}, on: object = { s3_prefix }) => {
    const saved_plan = { saved_plan_id: planId, event_parameters: { file: '/file' } };
    return tenant.post('/api/schedules', { name: 'Orders', saved_plan, on, ...more });
  };
  /** Looks into the bucket now instead of after a minute. */
  const look = async (id: string) => {
    await db.schedule.updateMany({ where: { id }, data: { nextAt: new Date(0) } });
    await until(
      'it has looked',
      async () => ({
        schedule: await db.schedule.findUniqueOrThrow({ where: { id } }),
        looks: await db.scheduleFiring.count({ where: { scheduleId: id, key: '', status: 'due' } }),
      }),
      ({ schedule, looks }) => schedule.nextAt!.getTime() > 0 && looks === 0,
    );
  };
  const firings = async (id: string) => (await tenant.get(`/api/schedules/${id}`)).json.firings as Json[];
  const started = (id: string, count: number) =>
    until(
      'the runs are started',
      () => firings(id),
      (all) => all.length === count && all.every(({ status }) => status !== 'due'),
    );

  it('start a saved plan once for each object that is new by key and content', async () => {
    await put('orders/old.csv', 'city\nHel\n');
    const { status, json } = await trigger();
    expect([status, json]).toMatchObject([201, { on: { s3_prefix: { ...place, prefix: 'orders/' } } }]);
    expect(
      JSON.stringify([json, (await tenant.get(`/api/schedules/${String(json.id)}`)).json]),
    ).not.toContain(secretKey);
    expect(json.every_seconds).toBe(60);
    const id = String(json.id);
    expect((await db.schedule.findUniqueOrThrow({ where: { id } })).secret).toMatch(/^sealed:/);
    await look(id);
    expect(await firings(id)).toEqual([]);

    await put('orders/2026/new.csv', 'city\nGdynia\n');
    await put('other/no.csv', 'city\nNowhere\n');
    await look(id);
    const [first] = await started(id, 1);
    expect(first).toMatchObject({ event: '2026/new.csv', status: 'started' });
    const run = await tenant.completed(String(first!.run_id));
    const files = (await tenant.get(`/api/sessions/${run.session_id}/inputs`)).json.items as Json[];
    expect(files.map(({ name }) => name)).toEqual(['2026/new.csv']);
    await look(id);
    expect(await started(id, 1)).toHaveLength(1);

    await put('orders/old.csv', 'city\nSopot\n');
    await look(id);
    expect((await started(id, 2)).map(({ event }) => event)).toContain('old.csv');
  });

  it('replace an object of a session by its new version, and start a run there', async () => {
    const session = await tenant.sessionWith({ 'a.md': '# A\n\nThe lamp was lit.\n' });
    const start = { session_id: session, inputs: { without_model: true } };
    const { json } = await tenant.post('/api/schedules', { name: 'Notes', start, on: { s3_prefix } });
    const id = String(json.id);
    for (const [count, text] of ['The keeper came.', 'The keeper left.'].entries()) {
      await put('orders/keeper.md', `# Keeper\n\n${text}\n`);
      await look(id);
      const all = await started(id, count + 1);
      await tenant.completed(String(all[0]!.run_id));
      expect(await tenant.manuscript(session)).toContain(text);
    }
  });

  it('start nothing for what came during a pause', async () => {
    const id = String((await trigger()).json.id);
    const set = (is_paused: boolean) => tenant.request('PATCH', `/api/schedules/${id}`, { is_paused });
    await set(true);
    await put('orders/during.csv', 'city\nHel\n');
    expect((await set(false)).status).toBe(200);
    await put('orders/after.csv', 'city\nHel\n');
    await look(id);
    expect(await started(id, 1)).toMatchObject([{ event: 'after.csv' }]);
  });

  it('say why a bucket cannot be read, at once and later', async () => {
    const refused = async (change: object) => {
      const { status, json } = await trigger({}, { s3_prefix: { ...s3_prefix, ...change } });
      return [status, json.code, (json.phrase as Json | undefined)?.code];
    };
    const cause = (code: string) => [422, 'bucket_refused', `bucket_refused.${code}`];
    expect(await refused({ secret_access_key: 'wrong' })).toEqual(cause('refused'));
    expect(await refused({ bucket: 'no-such-bucket' })).toEqual(cause('refused'));
    expect(await refused({ endpoint: 'http://127.0.0.1:1' })).toEqual(cause('unreachable'));
    expect(await refused({ endpoint: stack.url })).toEqual([422, 'bucket_refused', expect.any(String)]);
    const id = String((await trigger()).json.id);
    const source = { s3_prefix: { ...place, region: 'us-east-1', prefix: '', bucket: 'gone' } };
    await db.schedule.update({ where: { id }, data: { source } });
    await look(id);
    await look(id);
    expect(await firings(id)).toMatchObject([
      { status: 'failed', event: null, problem: { code: 'bucket_refused' } },
    ]);
  });

  it('start nothing for an object that is gone, but go on with the next', async () => {
    const id = String((await trigger()).json.id);
    await put('orders/gone.csv', 'city\nHel\n');
    const { tenantId } = await db.schedule.findUniqueOrThrow({ where: { id } });
    await db.scheduleFiring.create({
      data: {
        ...{ scheduleId: id, tenantId, plannedAt: new Date(0), key: 'gone' },
        event: { id: 'orders/no-such.csv', name: 'no-such.csv', etag: '', size: 1 },
      },
    });
    await look(id);
    const all = await started(id, 2);
    expect(all.map(({ status }) => status).sort()).toEqual(['failed', 'started']);
    expect(all.find(({ status }) => status === 'failed')).toMatchObject({ problem: { code: 'not_found' } });
  });

  it('are made by scriptorium trigger add --s3', async () => {
    const args = ['trigger', 'add', 'CLI', '--saved-plan', planId, '--s3', `${endpoint}/${bucket}/orders/`];
    const env = { ...cliEnv(tenant), AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey };
    const pointers = ['--event-parameters', '{"file": "/file"}'];
    const { stdout } = await succeedCli([...args, ...pointers], { cwd: tmpdir(), env });
    expect(stdout).toContain('s3_prefix');
    expect(stdout).not.toContain(secretKey);
  });
});
