import { ApiClient } from '#testing/api-client.js';
import { GatewayInProcess } from '../api/gateway-in-process.js';

const PASSWORD = 'correct horse battery';
const basic = (password: string) => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

describe('limits over two gateways', () => {
  let gateways: GatewayInProcess[];

  beforeAll(async () => {
    const env = { ADMIN_PASSWORD: PASSWORD, TRUSTED_PROXIES: 'loopback' };
    const first = await GatewayInProcess.start(env);
    gateways = [await GatewayInProcess.start(env, first), first];
  });
  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop();
  });

  /** The statuses of requests sent to both gateways in turn, all at once. */
  const burst = (count: number, headers: Record<string, string>, path: string) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const client = new ApiClient(gateways[index % 2]!.url, null);
        return (await client.request('GET', path, undefined, headers)).status;
      }),
    );
  const counted = (statuses: number[]) =>
    Object.fromEntries([...new Set(statuses)].map((s) => [s, statuses.filter((x) => x === s).length]));

  it.each([
    { limit: 20, early: 0 },
    { limit: 400, early: 8 },
  ])(
    'API4 a key may send its limit once, however many gateways it asks: $limit a minute',
    async ({ limit, early }) => {
      const { tenants } = gateways[0]!;
      const tenantId = await tenants.create('limited');
      await tenants.setLimits(tenantId, { requestsPerMinute: limit });
      const authorization = `Bearer ${await tenants.createApiKey(tenantId, 'test')}`;
      const { 200: taken = 0, 429: refused = 0 } = counted(
        await burst(limit + 40, { authorization }, '/api/sessions'),
      );
      expect(taken).toBeLessThanOrEqual(limit);
      expect(taken).toBeGreaterThanOrEqual(limit - early);
      expect(taken + refused).toBe(limit + 40);
    },
  );

  it('API4 the keys of a tenant may send five times what one may, however many there are', async () => {
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
    // A right key still counts; another address has its own count.
    const { tenants } = gateways[0]!;
    const key = await tenants.createApiKey(await tenants.create('same office'), 'test');
    expect(await burst(2, from('192.0.2.1', `Bearer ${key}`), '/api/sessions')).toEqual([200, 200]);
    expect(await burst(2, from('192.0.2.2', 'Bearer scr_wrong'), '/api/sessions')).toEqual([401, 401]);
  });

  it('API2 the operator’s password cannot be guessed on: past the limit it is not looked at', async () => {
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

  it('requests without credentials are not counted', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.5' };
    expect(counted(await burst(120, headers, '/api/sessions'))).toEqual({ 401: 120 });
  });
});
