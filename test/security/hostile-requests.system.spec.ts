import { buildOpenApiDocument } from '#gateway/openapi/openapi.js';
import { endpoints, type Endpoint } from '#catalogue/endpoints.js';
import { createObjectStore } from '#storage/create-object-store.js';
import { atDepth, sampled } from '#testing/depth.js';
import type { ApiClient } from '#testing/api-client.js';
import { TestStack } from '#testing/test-stack.js';
import fc from 'fast-check';
import { FAKE, NAMES } from './hostile-names.js';
import { expectRefusal, raw } from './raw-http.js';

/** Requests of a hostile client: nothing breaks, leaks or is misinterpreted. */
describe('hostile requests', () => {
  let stack: TestStack;
  let tenant: ApiClient;
  let sessionId: string;

  beforeAll(async () => {
    stack = await TestStack.start({
      workers: { scanner: 0, validator: 0, converter: 0, 'agent-runner': 0 },
      env: { MAX_FILES_PER_SESSION: '10000' },
    });
    tenant = await stack.tenant();
    sessionId = await tenant.sessionWith({ 'a.md': '# A\n' });
  });
  afterAll(() => stack.stop());

  const head = (lines: string[]) =>
    `${[...lines, 'host: x', `authorization: Bearer ${tenant.key}`].join('\r\n')}\r\n\r\n`;

  describe('mass assignment', () => {
    const withJson = Object.entries<Endpoint>(endpoints).filter(([, { body }]) => body !== undefined);

    it('every JSON body except answers and signed events rejects unknown fields', () => {
      interface Body {
        additionalProperties?: unknown;
        oneOf?: Body[];
      }
      const { components } = buildOpenApiDocument('0');
      const isOpen = ({ additionalProperties, oneOf }: Body): boolean =>
        oneOf ? oneOf.some(isOpen) : additionalProperties !== false;
      const open = withJson
        .map(([, { body }]) => body!.meta()?.id ?? '')
        .filter((id) => isOpen(components?.schemas?.[id] as Body));
      expect(open).toEqual(['TriggerDelivery', 'DecisionAnswer']);
    });

    it.each(['tenant_id', 'id', 'status', 'scopes_', 'max_active_runs', 'created_at', 'is_admin'])(
      'the field %s is rejected by name',
      async (field) => {
        const bodies: [string, object][] = [
          ['/api/sessions', {}],
          ['/api/agents/runs', { session_id: sessionId }],
          ['/api/keys', { name: 'x' }],
          ['/api/auth/token', {}],
        ];
        for (const [path, body] of bodies) {
          const response = await tenant.post(path, { ...body, [field]: 'x' });
          expect([path, response.status, response.json.code]).toEqual([path, 422, 'invalid_request']);
          expect(JSON.stringify(response.json.errors)).toContain(field);
        }
      },
    );

    it('prototype pollution is rejected and changes nothing', async () => {
      for (const body of ['{"__proto__": {"title": "x"}}', '{"constructor": {"prototype": {"title": "x"}}}'])
        expectRefusal(await tenant.request('POST', '/api/sessions', body));
      expect((await tenant.post('/api/sessions', {})).json.title).toBeNull();
    });
  });

  describe('names', () => {
    async function stays(name: string): Promise<void> {
      const { status, json } = await tenant.upload(sessionId, { [name]: `# ${Math.random()}\n` });
      if (status !== 201) {
        expect([409, 422]).toContain(status);
        return;
      }
      const [file] = json.items as { name: string }[];
      expect(file!.name).not.toMatch(/^\/|\/$|\/\/|[\\\u0000-\u001f\u202a-\u202e]|\.\./);
      expect(file!.name.normalize('NFC')).toBe(file!.name);
      const path = `/api/sessions/${sessionId}/inputs/${encodeURIComponent(file!.name)}`;
      expect((await tenant.request('DELETE', path)).status).toBe(204);
    }

    it.each(NAMES)('an upload named %j stays in its session', stays);

    it('an upload of any name stays in its session', () =>
      fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), stays), {
        numRuns: atDepth({ quick: 20, full: 60 }),
      }));

    it('a file name of raw bytes, which no browser sends, stays in its session', async () => {
      for (const name of [
        '../../x.md',
        'a\u0000.md',
        '..\\..\\x.md',
        '%2e%2e%2fx.md',
        'x.md"; name="y',
        '\xff\xfe.md',
      ]) {
        const body = `--b\r\ncontent-disposition: form-data; name="f"; filename="${name}"\r\n\r\nx\r\n--b--\r\n`;
        const response = await tenant.request('POST', `/api/sessions/${sessionId}/inputs`, body, {
          'content-type': 'multipart/form-data; boundary=b',
        });
        expect(response.status).toBeLessThan(500);
      }
    });

    it('objects have keys that the server created, for any file name', async () => {
      const store = createObjectStore({ kind: 'directory', root: stack.env.STORAGE_DIR! });
      for await (const { key } of store.list(''))
        expect(key).toMatch(
          /^tenants\/ten_[a-z0-9]{26}\/sessions\/ses_[a-z0-9]{26}\/inputs\/fil_[a-z0-9]{26}$/,
        );
    });

    const parameterised = Object.values<Endpoint>(endpoints).filter(
      ({ path, admin }) => path.includes(':') && !admin,
    );

    it.each(parameterised.map(({ method, path }, row) => [method, path, row] as const))(
      '%s %s rejects such a name as an ID',
      async (method, path, row) => {
        const body = method === 'POST' ? {} : undefined;
        for (const name of sampled(NAMES, row, 4)) {
          const last = path.replace(/:(\w+)(?=[^:]*$)/, encodeURIComponent(name));
          const own = last.replace(':session_id', sessionId).replace(/:\w+/g, 'x');
          if (/\/\.{1,2}(\/|$)/.test(own)) continue; // a client resolves these before they are sent
          const response = await tenant.request(method, own, body);
          expect([name.slice(0, 40), response.status]).toEqual([name.slice(0, 40), expect.any(Number)]);
          expectRefusal(response);
        }
      },
    );

    it('paths that are not valid URLs are rejected', async () => {
      for (const path of [
        '/api/sessions/../../etc/passwd',
        '/api/sessions/%',
        '/api//sessions',
        '/api/sessions/%c0%ae',
        '/..',
      ]) {
        const answer = await raw(stack.url, head([`GET ${path} HTTP/1.1`, 'connection: close']));
        expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
        expect(answer).not.toContain('root:');
      }
    });
  });

  describe('JSON', () => {
    it.each([
      ['nested arrays', `{"title":${'['.repeat(400_000)}${']'.repeat(400_000)}}`],
      ['nested objects', `{"title":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}}`],
      ['nested arrays at the top', `${'['.repeat(400_000)}${']'.repeat(400_000)}`],
      ['arrays that do not end', '['.repeat(1_000_000)],
      ['many keys', `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
      ['a body of 2 MB', `{"title":"${'x'.repeat(2_000_000)}"}`],
      ['numbers past all bounds', '{"title":1e999}'],
      ['a lone surrogate', '{"title":"\\ud800"}'],
      ['a byte order mark', '\ufeff{"titel":1}'],
    ])('%s are rejected without side effects', async (_, body) => {
      for (const path of [
        '/api/sessions',
        '/api/agents/runs',
        '/api/auth/token',
        '/api/decisions/x/answer',
      ]) {
        const response = await tenant.request('POST', path, body);
        if (response.status !== 201) expectRefusal(response);
      }
      expect((await tenant.get('/api/health')).status).toBe(200);
    });
  });

  describe('HTTP', () => {
    it('headers cannot change the client, method or address', async () => {
      const tricks = {
        'x-forwarded-host': 'evil.example',
        'x-original-url': '/api/audit',
        'x-rewrite-url': '/api/audit',
        'x-http-method-override': 'DELETE',
        'x-tenant-id': 'ten_0',
        'x-request-id': 'req_forged',
        'last-event-id': '-1; DROP TABLE runs',
        origin: 'https://evil.example',
      };
      const response = await tenant.request('GET', `/api/sessions/${sessionId}`, undefined, tricks);
      expect([response.status, response.json.id]).toEqual([200, sessionId]);
      expect(response.headers.get('x-request-id')).toMatch(/^req_[a-z0-9]{26}$/);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(response.text).not.toContain('evil');
    });

    it('ambiguous and oversized requests are rejected as invalid HTTP', async () => {
      const smuggle = ['POST /api/sessions HTTP/1.1', 'content-type: application/json'];
      const cases = [
        head([...smuggle, 'content-length: 2', 'transfer-encoding: chunked']),
        head([...smuggle, 'content-length: 2', 'content-length: 3']),
        head([...smuggle, 'transfer-encoding: chunked, identity']),
        head(['GET /api/sessions HTTP/1.1', 'x y: z']),
        head(['GET /api/sessions HTTP/1.1', `x: ${'y'.repeat(20_000)}`]),
        'NONSENSE\r\n\r\n',
      ];
      for (const bytes of cases) {
        const answer = await raw(stack.url, bytes);
        expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
        expect(answer).toContain('application/problem+json');
      }
    });

    it('every response has the security headers for browsers', async () => {
      const paths = [
        '/api/health',
        '/api/sessions',
        '/api/nothing',
        '/api/openapi.json',
        '/admin/queues',
        '/api/docs',
      ];
      for (const path of paths) {
        const { headers } = await tenant.get(path);
        expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('referrer-policy')).toBe('no-referrer');
        expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
        expect(headers.get('x-powered-by')).toBeNull();
      }
      expect((await tenant.get('/api/sessions')).headers.get('cache-control')).toBe('no-store');
    });
  });

  it('client input never creates a separate log line', async () => {
    const forged = `x\n${FAKE}\r\n\u001b[2J`;
    await tenant.post('/api/sessions', { title: forged });
    await tenant.upload(sessionId, { [forged]: FAKE });
    await tenant.get(`/api/sessions/${encodeURIComponent(forged)}?${encodeURIComponent(forged)}`);
    await tenant.request('GET', '/api/sessions', undefined, {
      authorization: `Bearer ${FAKE}`,
      'user-agent': FAKE,
    });
    await tenant.request('POST', '/api/sessions', FAKE, { 'content-type': FAKE });
    const lines = stack.lines.map(
      (line) => JSON.parse(line.slice(line.indexOf(' ') + 1)) as { msg?: string },
    );
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter(({ msg }) => msg === 'forged')).toEqual([]);
    expect(stack.lines.join('\n')).not.toContain(tenant.key!);
  });

  it('none of these requests caused a server error', () => {
    expect(stack.lines.filter((line) => /"level":"error"|"msg":"warning"/.test(line))).toEqual([]);
  });
});
