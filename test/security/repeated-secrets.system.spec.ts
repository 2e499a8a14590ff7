import { createDatabase, type Database } from '#db/client.js';
import { MAX_WEBHOOKS } from '#db/repositories/webhooks.js';
import { projectRoot } from '#embedded/project-root.js';
import { ApiClient, type ApiResponse } from '#testing/api-client.js';
import { CommitSignals } from '#testing/faults/commit-signals.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A request that creates a secret is executed once per `Idempotency-Key`, wherever its gateway dies, and the secret is
 * not stored.
 */
describe('X3 a repeated request that creates a secret', () => {
  let stack: TestStack;
  let db: Database;
  let commits: CommitSignals;
  let receiver: string;

  beforeAll(async () => {
    commits = await CommitSignals.open();
    const hook = join(projectRoot(), 'dist/libs/testing/faults/commit-hook.js');
    stack = await TestStack.start({
      workers: { 'agent-runner': 0, scanner: 0, validator: 0, converter: 0, tools: 0 },
      longestPauseMs: 100,
      env: {
        NODE_OPTIONS: `--import ${pathToFileURL(hook).href}`,
        FAULTS_DIR: commits.dir,
        WEBHOOK_ALLOW_PRIVATE: 'true',
      },
    });
    receiver = `${stack.url}/nobody`;
    db = createDatabase(stack.database.url, 2);
  });
  afterAll(async () => {
    await db.$disconnect();
    await stack.stop();
    await commits.close();
  });

  /** Sends a request whose gateway dies at the commit point, and repeats it once its lease has expired. */
  async function sendTwice(
    tenant: ApiClient,
    path: string,
    body: object,
    point: string,
  ): Promise<ApiResponse> {
    const key = { 'idempotency-key': 'once' };
    await commits.arm('before', point, 'SIGKILL');
    await expect(tenant.request('POST', path, body, key)).rejects.toThrow();
    await until(
      'a healthy gateway',
      () =>
        tenant.get('/api/health/').then(
          ({ status }) => status,
          (error: unknown) => error,
        ),
      (seen) => seen === 200,
    );
    await db.$executeRaw`
      UPDATE idempotency_keys SET created_at = now() - interval '1 minute' WHERE status IS NULL`;
    return tenant.request('POST', path, body, key);
  }

  const tenantOf = async ({ key }: ApiClient) =>
    (await db.apiKey.findFirstOrThrow({ where: { prefix: key!.split('_')[1]! } })).tenantId;
  const keysMade = async (tenant: ApiClient) =>
    db.apiKey.findMany({
      where: { tenantId: await tenantOf(tenant), name: 'made' },
      orderBy: { createdAt: 'asc' },
    });

  it('creates one API key, also if its gateway ended during the request', async () => {
    const tenant = await stack.tenant();
    const body = { name: 'made', scopes: ['read'] };
    const { json } = await sendTwice(tenant, '/api/keys', body, 'settle request');
    expect((await keysMade(tenant)).map(({ id }) => id)).toEqual([json.id]);
    expect((await new ApiClient(stack.url, String(json.key)).get('/api/sessions')).status).toBe(200);
  });

  it('rotates an API key once, also if its gateway ended during the request', async () => {
    const tenant = await stack.tenant();
    const old = (await tenant.post('/api/keys', { name: 'made' })).json;
    const { json } = await sendTwice(tenant, `/api/keys/${String(old.id)}/rotate`, {}, 'settle request');
    const [first, ...successors] = await keysMade(tenant);
    expect(first!.revokedAt).not.toBeNull();
    expect(successors.map(({ id }) => id)).toEqual([json.id]);
  });

  it('creates one webhook, also if its gateway ended during the request', async () => {
    const tenant = await stack.tenant();
    const { json } = await sendTwice(tenant, '/api/webhooks', { url: receiver }, 'settle request');
    const list = (await tenant.get('/api/webhooks')).json.items as { id: string }[];
    expect(list.map(({ id }) => id)).toEqual([json.id]);
  });

  it('keeps a receiver’s secret valid during a rotation whose gateway ended', async () => {
    const tenant = await stack.tenant();
    const { id } = (await tenant.post('/api/webhooks', { url: receiver })).json;
    const stored = () => db.webhook.findUniqueOrThrow({ where: { id: String(id) } });
    const { secret } = await stored();
    await sendTwice(tenant, `/api/webhooks/${String(id)}/rotate`, { grace_seconds: 60 }, 'settle request');
    expect((await stored()).previousSecret).toBe(secret);
  });

  it('creates nothing else if its gateway ended before the response', async () => {
    const tenant = await stack.tenant();
    const again = await sendTwice(tenant, '/api/keys', { name: 'made' }, 'add audit entry');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await keysMade(tenant)).map(({ id }) => id)).toEqual([again.json.id]);
    expect(again.json.key).toBe('(shown once)');
  });

  it('leaves one successor of a key that is rotated concurrently, and no extra webhook', async () => {
    const tenant = await stack.tenant();
    const { id } = (await tenant.post('/api/keys', { name: 'made' })).json;
    const rotate = () => tenant.post(`/api/keys/${String(id)}/rotate`, {});
    const rotations = await Promise.all(Array.from({ length: 8 }, rotate));
    expect(rotations.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(404)]);
    const make = () => tenant.post('/api/webhooks', { url: receiver });
    const made = await Promise.all(Array.from({ length: MAX_WEBHOOKS + 5 }, make));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(MAX_WEBHOOKS);
  });

  it('stores no secret with the response', async () => {
    const tenant = await stack.tenant();
    const tenantId = await tenantOf(tenant);
    const made = await tenant.request('POST', '/api/keys', { name: 'made' }, { 'idempotency-key': 'made' });
    const kept = JSON.stringify(await db.idempotencyKey.findMany({ where: { tenantId } }));
    expect(kept).toContain(String(made.json.id));
    expect(kept).not.toContain(String(made.json.key).split('_').slice(2).join('_'));
  });
});
