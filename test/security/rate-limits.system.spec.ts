import { ApiClient } from '#testing/api-client.js';
import { RateCountRepository } from '#db/repositories/rate-counts.js';
import { GatewayInProcess } from '../api/gateway-in-process.js';

const PASSWORD = 'correct horse battery';
const basic = (password: string) => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

/** A window of a minute would end in the middle of a test on a slow machine. */
const WINDOW_MS = 24 * 3_600_000;

describe('limits over two gateways', () => {
  let gateways: GatewayInProcess[];
  const { add } = RateCountRepository.prototype;

  beforeAll(async () => {
    RateCountRepository.prototype.add = function (key, amount) {
      return add.call(this, key, amount, WINDOW_MS);
    };
    const env = { ADMIN_PASSWORD: PASSWORD, TRUSTED_PROXIES: 'loopback' };
    const first = await GatewayInProcess.start(env);
    gateways = [await GatewayInProcess.start(env, first), first];
  });
  afterAll(async () => {
    RateCountRepository.prototype.add = add;
    for (const gateway of gateways) await gateway.stop();
  });

  /** Returns the statuses of concurrent requests, sent to both gateways in turn. */
  const burst = (count: number, headers: Record<string, string>, path: string) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const client = new ApiClient(gateways[index % 2]!.url, null);
        return (await client.request('GET', path, undefined, headers)).status;
      }),
    );
  const counted = (statuses: number[]) =>
    Object.fromEntries([...new Set(statuses)].map((s) => [s, statuses.filter((x) => x === s).length]));

  /** Returns a key of a new tenant whose keys may send this many requests in a window. */
  const keyWithLimit = async (requestsPerMinute: number) => {
    const { tenants } = gateways[0]!;
    const tenantId = await tenants.create('limited');
    await tenants.setLimits(tenantId, { requestsPerMinute });
    return { authorization: `Bearer ${await tenants.createApiKey(tenantId, 'test')}` };
  };

  it.each([20, 400])('API4 a key may send its limit once over all gateways: %d per minute', async (limit) => {
    const statuses = await burst(limit + 40, await keyWithLimit(limit), '/api/sessions');
    expect(counted(statuses)).toEqual({ 200: limit, 429: 40 });
  });

  it('API4 a gateway reserves 1 % of a limit at a time; its unused part is lost to the others', async () => {
    const headers = await keyWithLimit(400);
    const send = (gateway: GatewayInProcess) =>
      new ApiClient(gateway.url, null).request('GET', '/api/sessions', undefined, headers);
    const [first, second] = gateways as [GatewayInProcess, GatewayInProcess];
    expect((await send(first)).status).toBe(200);
    const others = await Promise.all(Array.from({ length: 440 }, () => send(second)));
    expect(counted(others.map(({ status }) => status))).toEqual({ 200: 396, 429: 44 });
  });

  it('API4 all keys of a tenant together may send five times the limit of one key', async () => {
    const { tenants } = gateways[0]!;
    const tenantId = await tenants.create('many keys');
    await tenants.setLimits(tenantId, { requestsPerMinute: 10 });
    const taken = { own: 0, other: 0 };
    for (let index = 0; index < 12; index++) {
      const authorization = `Bearer ${await tenants.createApiKey(tenantId, `key ${index}`)}`;
      taken.own += counted(await burst(8, { authorization }, '/api/sessions'))[200] ?? 0;
    }
    const neighbour = await tenants.createApiKey(await tenants.create('neighbour'), 'test');
    const headers = { authorization: `Bearer ${neighbour}` };
    taken.other = counted(await burst(8, headers, '/api/sessions'))[200]!;
    expect(taken).toEqual({ own: 50, other: 8 });
  });

  it('API2 wrong credentials are limited per address, over both gateways', async () => {
    const from = (ip: string, authorization: string) => ({ authorization, 'x-forwarded-for': ip });
    const wrong = counted(await burst(130, from('192.0.2.1', 'Bearer scr_wrong'), '/api/sessions'));
    expect(wrong).toEqual({ 401: 100, 429: 30 });
    const [blocked, tokens] = await Promise.all([
      new ApiClient(gateways[0]!.url, null).request(
        'GET',
        '/api/sessions',
        undefined,
        from('192.0.2.1', 'Bearer x'),
      ),
      new ApiClient(gateways[1]!.url, null).request(
        'POST',
        '/api/auth/token',
        {},
        from('192.0.2.1', 'Bearer x'),
      ),
    ]);
    for (const { status, json, headers } of [blocked, tokens]) {
      expect([status, json.code]).toEqual([429, 'too_many_requests']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // A valid key still works, and another address has a separate count.
    const { tenants } = gateways[0]!;
    const key = await tenants.createApiKey(await tenants.create('same office'), 'test');
    expect(await burst(2, from('192.0.2.1', `Bearer ${key}`), '/api/sessions')).toEqual([200, 200]);
    expect(await burst(2, from('192.0.2.2', 'Bearer scr_wrong'), '/api/sessions')).toEqual([401, 401]);
  });

  it('API2 the operator’s password cannot be guessed: above the limit it is not checked', async () => {
    const from = (ip: string, password: string) => ({
      authorization: basic(password),
      'x-forwarded-for': ip,
    });
    await burst(100, from('192.0.2.3', 'a wrong password'), '/api/admin/tenants');
    for (const path of ['/api/admin/tenants', '/admin/queues', '/metrics']) {
      expect([path, await burst(2, from('192.0.2.3', PASSWORD), path)]).toEqual([path, [429, 429]]);
      expect([path, await burst(2, from('192.0.2.4', PASSWORD), path)]).toEqual([path, [200, 200]]);
    }
  });

  it('OAuth is limited apart from logins; only a wrong key counts as a failed login', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.6' };
    const metadata = await burst(120, headers, '/.well-known/oauth-authorization-server');
    expect(counted(metadata)).toEqual({ 200: 120 });
    expect(counted(await burst(120, headers, '/oauth/authorize'))).toEqual({ 422: 120 });
    const operator = { ...headers, authorization: basic(PASSWORD) };
    expect(await burst(2, operator, '/api/admin/tenants')).toEqual([200, 200]);
    expect(counted(await burst(1_000, headers, '/oauth/authorize'))).toEqual({ 422: 880, 429: 120 });
    expect(await burst(2, headers, '/.well-known/oauth-authorization-server')).toEqual([200, 200]);
    expect(await burst(2, operator, '/api/admin/tenants')).toEqual([200, 200]);
  });

  it('a link that does not work counts as a failed login; no refusal contains its secret', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.8' };
    expect(counted(await burst(130, headers, '/share/SECRET'))).toEqual({ 404: 100, 429: 30 });
    const { status, text } = await new ApiClient(gateways[0]!.url, null).request(
      'GET',
      '/share/SECRET',
      undefined,
      headers,
    );
    expect([status, JSON.parse(text).instance]).toEqual([429, '/share/:secret']);
  });

  it('a wrong key at the sign-in page of OAuth counts as a failed login', async () => {
    const { url } = gateways[0]!;
    const registered = await fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.7' },
      body: JSON.stringify({ redirect_uris: ['http://127.0.0.1:4711/callback'] }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const form = {
      response_type: 'code',
      client_id,
      redirect_uri: 'http://127.0.0.1:4711/callback',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      decision: 'allow',
    };
    const signIn = async (api_key: string) => {
      const answer = await fetch(`${url}/oauth/authorize`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '192.0.2.7' },
        body: new URLSearchParams({ ...form, api_key }),
      });
      return answer.status;
    };
    const wrong = await Promise.all(Array.from({ length: 110 }, () => signIn('scr_000000000000_wrong')));
    expect(counted(wrong)).toEqual({ 401: 100, 429: 10 });
    expect(await signIn('')).toBe(401);
    const operator = { authorization: basic(PASSWORD), 'x-forwarded-for': '192.0.2.7' };
    expect(await burst(2, operator, '/api/admin/tenants')).toEqual([429, 429]);
  });

  it('requests without credentials are not counted', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.5' };
    expect(counted(await burst(120, headers, '/api/sessions'))).toEqual({ 401: 120 });
  });
});
