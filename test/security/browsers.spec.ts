import { ApiClient } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { TEST_ADMIN_PASSWORD } from '#testing/test-stack.js';

const authorization = `Basic ${Buffer.from(`admin:${TEST_ADMIN_PASSWORD}`).toString('base64')}`;

/** Effects that a page of another site, or a page with a stranger's text, can have in a browser. */
describe('API8 browsers', () => {
  let stack: SharedStack;
  let anyone: ApiClient;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack('gateway');
    anyone = new ApiClient(stack.url, null);
    tenant = await stack.tenant();
  });

  const directives = (headers: Headers) =>
    new Map(
      headers
        .get('content-security-policy')!
        .split('; ')
        .map((directive): [string, string] => {
          const [name, ...sources] = directive.split(' ');
          return [name!, sources.join(' ')];
        }),
    );

  it.each(['/api/docs', '/admin/queues', '/admin/queues/queue/scanner'])(
    '%s runs and loads only files of the gateway, and contains no inline script',
    async (path) => {
      const { status, headers, text } = await anyone.request('GET', path, undefined, { authorization });
      expect(status).toBe(200);
      const policy = directives(headers);
      expect(policy.get('default-src')).toBe("'none'");
      expect(policy.get('script-src')).toBe("'self'");
      expect(policy.get('connect-src')).toBe("'self'");
      const scripts = [...text.matchAll(/<script\b([^>]*)>/g)].map(([, attributes]) => attributes!);
      expect(scripts.length).toBeGreaterThan(0);
      for (const attributes of scripts) expect(attributes).toMatch(/src=|type="application\/json"/);
      for (const [, source] of text.matchAll(/<script\b[^>]*src="([^"]+)"/g)) {
        const base = /<base href="([^"]+)"/.exec(text)?.[1] ?? path;
        const url = new URL(source!, new URL(base, stack.url));
        expect(url.origin).toBe(stack.url);
        const script = await fetch(url, { headers: { authorization } });
        expect([url.pathname, script.status]).toEqual([url.pathname, 200]);
      }
    },
  );

  it.each(['/', '/nothing', '/api/nothing', '/api/sessions', '/metrics'])(
    '%s is not a page: nothing runs there',
    async (path) => {
      const policy = directives((await anyone.get(path)).headers);
      expect([policy.get('default-src'), policy.has('script-src'), policy.has('sandbox')]).toEqual([
        "'none'",
        false,
        true,
      ]);
    },
  );

  it('forbids caching of every response, for any path and any spelling of it', async () => {
    const { id } = await tenant.startRun(await tenant.sessionWith({ 'a.md': '# A\n' }));
    await tenant.post(`/api/agents/runs/${id}/cancel`);
    const initialize = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const mcp = { accept: 'application/json, text/event-stream' };
    const answers = {
      encoded: await tenant.get('/%61pi/sessions'),
      events: await tenant.get(`/api/agents/runs/${id}/events`),
      mcp: await tenant.request('POST', '/mcp', initialize, mcp),
      'mcp without a key': await anyone.request('POST', '/mcp', initialize, mcp),
      queues: await anyone.request('GET', '/admin/queues/api/queues', undefined, { authorization }),
      metrics: await anyone.get('/metrics'),
      nothing: await anyone.get('/nothing'),
      'not modified': await tenant.request('GET', '/api/sessions', undefined, { 'if-none-match': '*' }),
    };
    const kept = Object.entries(answers).filter(
      ([, { headers }]) => !headers.get('cache-control')?.startsWith('no-store'),
    );
    expect(kept.map(([name, { status, headers }]) => [name, status, headers.get('cache-control')])).toEqual(
      [],
    );
    expect([answers.events.status, answers.mcp.status, answers.queues.status]).toEqual([200, 200, 200]);
  });

  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://sibling.example' },
  ];
  const own = (): Record<string, string>[] => [
    {},
    { origin: stack.url },
    { 'sec-fetch-site': 'same-origin', origin: 'https://proxied.example' },
  ];

  it('rejects changes that another site’s page sends with an operator’s browser', async () => {
    const paths = [
      '/api/admin/dead-letters/scanner/none/retry',
      '/api/admin/tenants',
      '/admin/queues/api/queues/scanner/pause',
    ];
    for (const path of paths)
      for (const headers of foreign) {
        const method = path.endsWith('/pause') ? 'PUT' : 'POST';
        const { status, json } = await anyone.request(method, path, undefined, { authorization, ...headers });
        expect([path, headers, status, json.code]).toEqual([path, headers, 403, 'cross_site_request']);
      }
    for (const headers of own()) {
      const path = '/api/admin/dead-letters/scanner/none/retry';
      const { status } = await anyone.request('POST', path, undefined, { authorization, ...headers });
      expect([headers, status]).toEqual([headers, 404]);
    }
    const read = await anyone.request('GET', '/api/admin/tenants', undefined, {
      authorization,
      ...foreign[0],
    });
    expect(read.status).toBe(200);
  });

  it('names the required credentials in a 401 response', async () => {
    const challenges = async (path: string, client = anyone) => {
      const { status, headers } = await client.get(path);
      return [status, headers.get('www-authenticate')];
    };
    expect(await challenges('/api/sessions')).toEqual([401, 'Bearer realm="Scriptorium"']);
    expect(await challenges('/api/sessions', new ApiClient(stack.url, 'scr_wrong'))).toEqual([
      401,
      'Bearer realm="Scriptorium"',
    ]);
    for (const path of ['/api/admin/tenants', '/admin/queues'])
      expect(await challenges(path, tenant)).toEqual([
        401,
        'Basic realm="Scriptorium admin", charset="UTF-8"',
      ]);
  });
});
