import { endpoints, scopeOf, type Endpoint } from '#catalogue/endpoints.js';
import type { Scope } from '#contracts/api/access-schemas.js';
import { createDatabase, type Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { ApiClient, type ApiResponse } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { TEST_ADMIN_PASSWORD } from '#testing/test-stack.js';
import { until } from '#testing/until.js';

const basic = () => `Basic ${Buffer.from(`admin:${TEST_ADMIN_PASSWORD}`).toString('base64')}`;
const codeOf = ({ status, json }: ApiResponse) => [status, json.code];

/** Keys, scopes, tokens, limits and the audit log (API2 and API5 of the OWASP API Top 10). */
describe('access', () => {
  let stack: SharedStack;
  let db: Database;
  let admin: ApiClient;
  let tenantId: string;

  beforeAll(async () => {
    stack = await sharedStack('gateway');
    db = createDatabase(stack.database.url, 2);
    admin = await stack.tenant();
    tenantId = (await new TenantRepository(db).authenticate(admin.key!))!.tenantId;
  });
  afterAll(() => db.$disconnect());

  const withKey = (key: unknown) => new ApiClient(stack.url, String(key));
  async function makeKey(scopes: Scope[], more: Record<string, unknown> = {}) {
    const { json, status } = await admin.post('/api/keys', { name: scopes.join(' '), scopes, ...more });
    expect(status).toBe(201);
    return { id: String(json.id), client: withKey(json.key) };
  }
  async function token(client: ApiClient, body: Record<string, unknown> = {}): Promise<ApiClient> {
    const { json, status } = await client.post('/api/auth/token/', body);
    expect([status, json.token_type]).toEqual([201, 'Bearer']);
    return withKey(json.access_token);
  }
  const guarded = Object.entries<Endpoint>(endpoints).filter(([, { open, admin }]) => !open && !admin);

  it.each(['read', 'write', 'admin'] as const)(
    'a key with the scope %s alone can do only what the scope permits',
    async (scope) => {
      const { client } = await makeKey([scope]);
      for (const [name, endpoint] of guarded) {
        const path = endpoint.path.replace(/:\w+/g, 'x');
        const response = await client.request(
          endpoint.method,
          path,
          endpoint.method === 'POST' ? {} : undefined,
        );
        if (scopeOf(endpoint) === 'any') continue;
        const isDenied = response.json.code === 'forbidden';
        expect([name, isDenied]).toEqual([name, scopeOf(endpoint) !== scope]);
        if (isDenied) expect(response.status).toBe(403);
      }
    },
  );

  it('requires a key at every endpoint except health and signed deliveries', async () => {
    const nobody = new ApiClient(stack.url, null);
    for (const [name, endpoint] of guarded) {
      const { status, json } = await nobody.request(endpoint.method, endpoint.path.replace(/:\w+/g, 'x'));
      expect([name, status, json.code]).toEqual([name, 401, 'unauthorized']);
    }
    expect(
      Object.entries<Endpoint>(endpoints)
        .filter(([, { open }]) => open)
        .map(([name]) => name),
    ).toEqual(['health', 'live', 'ready', 'deliverEvent']);
  });

  it('API5 rejects a new or rotated key with scopes that its creator lacks', async () => {
    const all = await makeKey(['read', 'write', 'admin']);
    const { client: onlyAdmin } = await makeKey(['admin']);
    for (const body of [{}, { scopes: ['read'] }, { scopes: ['admin', 'write'] }])
      expect(codeOf(await onlyAdmin.post('/api/keys', { name: 'more', ...body }))).toEqual([
        403,
        'forbidden',
      ]);
    expect(codeOf(await onlyAdmin.post(`/api/keys/${all.id}/rotate`, {}))).toEqual([403, 'forbidden']);
    expect((await all.client.get('/api/sessions')).status).toBe(200);
    const same = await onlyAdmin.post('/api/keys', { name: 'same', scopes: ['admin'] });
    expect([same.status, same.json.scopes]).toEqual([201, ['admin']]);
    expect((await onlyAdmin.post(`/api/keys/${String(same.json.id)}/rotate`, {})).status).toBe(201);
  });

  it('API4 allows a tenant at most a hundred active keys, also if they are created concurrently', async () => {
    const client = await stack.tenant('many keys');
    const make = (name: string) => client.post('/api/keys', { name });
    const made = [];
    for (let round = 0; round < 11; round++)
      made.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => make(`${round}.${index}`)))));
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused.map(codeOf)).toEqual(Array(11).fill([409, 'too_many_keys']));
    const [first, second] = made.map(({ json }) => String(json.id));
    expect(codeOf(await client.post(`/api/keys/${first}/rotate`, { grace_seconds: 60 }))).toEqual([
      409,
      'too_many_keys',
    ]);
    expect((await client.post(`/api/keys/${first}/rotate`, {})).status).toBe(201);
    expect((await client.request('DELETE', `/api/keys/${second}`)).status).toBe(204);
    expect((await make('again')).status).toBe(201);
  });

  it('shows a key once, and never its hash', async () => {
    const created = await admin.post('/api/keys', { name: 'once' });
    expect(created.json).toMatchObject({ name: 'once', scopes: ['read', 'write'], expires_at: null });
    const [row] = await db.apiKey.findMany({ where: { id: String(created.json.id) } });
    const listed = (await admin.get('/api/keys')).text;
    expect(listed).toContain(String(created.json.id));
    expect(listed).not.toContain(String(created.json.key));
    expect(listed).not.toContain(row!.hash);
  });

  it('ends a key on its expiry date, on revocation and when the tenant is suspended', async () => {
    expect(
      codeOf(await admin.post('/api/keys', { name: 'past', expires_at: '2020-01-01T00:00:00Z' })),
    ).toEqual([422, 'invalid_request']);
    const { id, client } = await makeKey(['read'], { expires_at: '2999-01-01T00:00:00Z' });
    expect((await client.get('/api/sessions')).status).toBe(200);
    await db.apiKey.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
    // The gateway learns from the database what another process has changed.
    const read = () => client.get('/api/sessions');
    const ended = await until('the key has ended', read, ({ status }) => status !== 200);
    expect(codeOf(ended)).toEqual([401, 'unauthorized']);

    const revoked = await makeKey(['read']);
    const itsToken = await token(revoked.client);
    expect((await itsToken.get('/api/sessions')).status).toBe(200);
    expect((await admin.request('DELETE', `/api/keys/${revoked.id}`)).status).toBe(204);
    expect((await admin.request('DELETE', `/api/keys/${revoked.id}`)).status).toBe(204);
    for (const client of [revoked.client, itsToken])
      expect(codeOf(await client.get('/api/sessions'))).toEqual([401, 'unauthorized']);

    const operator = new ApiClient(stack.url, null);
    const setSuspended = (suspended: boolean) =>
      operator.request('POST', `/api/admin/tenants/${tenantId}`, { suspended }, { authorization: basic() });
    expect((await setSuspended(true)).status).toBe(200);
    expect(codeOf(await admin.get('/api/sessions'))).toEqual([403, 'tenant_suspended']);
    expect((await setSuspended(false)).status).toBe(200);
    expect((await admin.get('/api/sessions')).status).toBe(200);
  });

  it('rotates a key with and without grace, and keeps the last admin key', async () => {
    const old = await makeKey(['read']);
    const next = await admin.post(`/api/keys/${old.id}/rotate`, { grace_seconds: 600 });
    expect(next.json).toMatchObject({ name: 'read', scopes: ['read'] });
    for (const client of [old.client, withKey(next.json.key)])
      expect((await client.get('/api/sessions')).status).toBe(200);
    const last = await admin.post(`/api/keys/${String(next.json.id)}/rotate`, {});
    expect((await withKey(next.json.key).get('/api/sessions')).status).toBe(401);
    expect((await withKey(last.json.key).get('/api/sessions')).status).toBe(200);
    expect(codeOf(await admin.post(`/api/keys/${String(next.json.id)}/rotate`, {}))).toEqual([
      404,
      'not_found',
    ]);

    const items = (await admin.get('/api/keys')).json.items as {
      id: string;
      scopes: string[];
      revoked_at: unknown;
    }[];
    const admins = items.filter(({ scopes, revoked_at }) => scopes.includes('admin') && revoked_at === null);
    const outcomes = [];
    for (const { id } of admins) outcomes.push((await admin.request('DELETE', `/api/keys/${id}`)).status);
    expect(outcomes.filter((status) => status === 409)).toHaveLength(1);
    expect((await admin.get('/api/keys')).status).toBe(200);
  });

  it('issues short-lived tokens with fewer scopes, which cannot be extended or forged', async () => {
    const both = await makeKey(['read', 'write']);
    const reader = await token(both.client);
    expect((await reader.get('/api/sessions')).status).toBe(200);
    expect(codeOf(await reader.post('/api/sessions', {}))).toEqual([403, 'forbidden']);
    expect(codeOf(await reader.post('/api/auth/token', {}))).toEqual([403, 'forbidden']);
    expect(codeOf(await both.client.post('/api/auth/token', { scopes: ['admin'] }))).toEqual([
      403,
      'forbidden',
    ]);
    expect(codeOf(await both.client.post('/api/auth/token', { expires_in: 3601 }))).toEqual([
      422,
      'invalid_request',
    ]);

    const [payload, signature] = reader.key!.slice('sct_'.length).split('.') as [string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const forged = [
      { ...claims, s: [0, 1, 2] },
      { ...claims, e: 9e9 },
    ].map((changed) => Buffer.from(JSON.stringify(changed)).toString('base64url'));
    const wrong = [
      ...forged.map((text) => `${text}.${signature}`),
      `${payload}.${'A'.repeat(43)}`,
      `${payload}.`,
      '.',
    ];
    for (const text of [...wrong, `bnVsbA.${signature}`, `W10.${signature}`])
      expect(codeOf(await withKey(`sct_${text}`).get('/api/sessions'))).toEqual([401, 'unauthorized']);

    const brief = await token(both.client, { expires_in: 1 });
    await until(
      'the token has expired',
      async () => (await brief.get('/api/sessions')).status,
      (status) => status === 401,
    );
  });

  it('counts requests per key, reports the remaining ones and returns 429 above the limit', async () => {
    const tenants = new TenantRepository(db);
    const other = await stack.tenant('noisy');
    const { tenantId: noisy } = (await tenants.authenticate(other.key!))!;
    const quiet = await tenants.createApiKey(noisy, 'quiet');
    await tenants.setLimits(noisy, { requestsPerMinute: 5 });
    const responses = [];
    for (let index = 0; index < 6; index++) responses.push(await other.get('/api/sessions'));
    const [first, refused] = [responses[0]!, responses.at(-1)!];
    expect(first.headers.get('ratelimit-limit')).toBe('5');
    expect(Number(first.headers.get('ratelimit-remaining'))).toBeLessThan(5);
    expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    expect(codeOf(refused)).toEqual([429, 'too_many_requests']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await withKey(quiet).get('/api/sessions')).status).toBe(200);
    expect((await admin.get('/api/sessions')).status).toBe(200);
  });

  it('enforces the limits of a tenant for storage and tokens', async () => {
    const client = await stack.tenant('small');
    const { tenantId: small } = (await new TenantRepository(db).authenticate(client.key!))!;
    const operator = new ApiClient(stack.url, null);
    const change = (limits: object) =>
      operator.request('POST', `/api/admin/tenants/${small}`, limits, { authorization: basic() });
    expect((await change({ max_storage_bytes: 100, max_monthly_tokens: 1 })).json).toMatchObject({
      id: small,
      max_storage_bytes: 100,
      storage_bytes: 0,
    });
    const session = await client.sessionWith({ 'a.md': '# A\n' });
    const full = await client.upload(session, { 'b.md': 'b'.repeat(97) });
    expect(codeOf(full)).toEqual([413, 'storage_quota_exceeded']);
    expect((await client.get(`/api/sessions/${session}/inputs`)).json.items).toHaveLength(1);
    expect((await client.upload(session, { 'b.md': 'b'.repeat(96) })).status).toBe(201);
    const { id } = await client.startRun(session);
    const call = { id: 'cal_1', tenantId: small, runId: id, effectKey: 'x', model: 'm' };
    await db.modelCall.create({ data: { ...call, inputTokens: 1, outputTokens: 0 } });
    await client.post(`/api/agents/runs/${id}/cancel`);
    const refused = await client.post('/api/agents/runs', { session_id: session });
    expect(codeOf(refused)).toEqual([429, 'token_quota_exceeded']);
    await change({ max_monthly_tokens: null });
    expect((await client.post('/api/agents/runs', { session_id: session })).status).toBe(202);
  });

  it('ends an event stream soon after its key ends', async () => {
    const { id, client } = await makeKey(['read']);
    const brief = await token(client, { expires_in: 3600 });
    const run = await admin.startRun(await admin.sessionWith({ 'a.md': '# A\n' }));
    const follow = async ({ key }: ApiClient) => {
      const response = await fetch(`${stack.url}/api/agents/runs/${run.id}/events`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(response.status).toBe(200);
      const reader = response.body!.getReader();
      await reader.read();
      return reader;
    };
    const readers = [await follow(client), await follow(brief)];
    const kept = await follow(admin);
    await admin.request('DELETE', `/api/keys/${id}`);
    for (const reader of readers) {
      const end = (async () => {
        while (!(await reader.read()).done);
      })();
      await end.catch((error: Error) => expect(error.message).toBe('terminated'));
    }
    expect(await Promise.race([kept.read().then(() => 'ended'), Promise.resolve('open')])).toBe('open');
    await kept.cancel();
    await admin.post(`/api/agents/runs/${run.id}/cancel`);
  });

  it('ends a request that waits for a run soon after its key ends; the run continues', async () => {
    const { id, client } = await makeKey(['read', 'write']);
    const session = await admin.sessionWith({ 'a.md': '# A\n' });
    const waiting = client.post('/api/agents/runs?sync=1', { session_id: session });
    const run = (await until('a run of the session', () =>
      db.run.findFirst({ where: { sessionId: session } }),
    ))!;
    await admin.request('DELETE', `/api/keys/${id}`);
    expect(codeOf(await waiting)).toEqual([401, 'unauthorized']);
    expect((await admin.run(run.id)).status).toBe('queued');
    await admin.post(`/api/agents/runs/${run.id}/cancel`);
  });
});
