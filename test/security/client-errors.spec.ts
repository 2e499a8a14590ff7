import { endpoints, type Endpoint } from '#catalogue/endpoints.js';
import type { ApiClient, ApiResponse } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { gzipSync } from 'node:zlib';
import { once } from 'node:events';
import { connect } from 'node:net';

const MALFORMED: [number, string] = [400, 'malformed_multipart'];

/** API8: errors of clients are reported as such, never as errors of the service. */
describe('API8 errors of clients', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let sessionId: string;

  beforeAll(async () => {
    stack = await sharedStack('gateway');
    tenant = await stack.tenant();
    sessionId = await tenant.sessionWith({ 'a.md': '# A\n' });
  });

  /** Sends raw bytes, as no client library would, and reads the response to its end. */
  async function raw(lines: string[], body: string | Buffer = '') {
    const { hostname, port } = new URL(stack.url);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
    const head = [...lines, 'host: x', 'connection: close', `authorization: Bearer ${tenant.key}`];
    socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]));
    await once(socket, 'close');
    const [top = '', text = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
    const headers = new Headers(
      top
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
    );
    return { status: Number(top.split(' ')[1]), headers, code: (JSON.parse(text) as { code?: string }).code };
  }
  const post = (path: string, type: string, body: string | Buffer, more: string[] = []) =>
    raw(
      [
        `POST ${path} HTTP/1.1`,
        `content-type: ${type}`,
        `content-length: ${Buffer.byteLength(body)}`,
        ...more,
      ],
      body,
    );
  const codeOf = ({ status, json }: ApiResponse) => [status, json.code];

  it.each([
    '/api/docs/../x',
    '/api/docs//etc/passwd',
    '/api/docs/%2e%2e/x',
    '/api/docs/..%2f..%2fpackage.json',
  ])('the path %s does not exist', async (path) => {
    const { status, code } = await raw([`GET ${path} HTTP/1.1`]);
    expect([status, code]).toEqual([404, 'not_found']);
  });

  it.each(['TRACE', 'QUERY', 'PUT', 'OPTIONS', 'PROPFIND'])(
    'the method %s is not one of the API',
    async (method) => {
      for (const path of ['/api/sessions', '/api/nothing', '/']) {
        const { status, code, headers } = await raw([`${method} ${path} HTTP/1.1`]);
        expect([path, status, code]).toEqual([path, 405, 'method_not_allowed']);
        const all = 'DELETE, GET, HEAD, PATCH, POST';
        expect(headers.get('allow')).toBe(path === '/api/sessions' ? 'GET, HEAD, POST' : all);
      }
    },
  );

  it.each(Object.values<Endpoint>(endpoints).map(({ path }) => path))(
    '%s lists its methods when it receives another one',
    async (path) => {
      const isOf = (pattern: string) => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path);
      const taken = Object.values<Endpoint>(endpoints).filter((endpoint) => isOf(endpoint.path));
      const methods = [...new Set(taken.map(({ method }): string => method))];
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE'].filter((one) => !methods.includes(one))) {
        const url = path.replace(/:\w+/g, 'x%2Fy');
        const { status, headers, json } = await tenant.request(method, url);
        const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
        expect([method, status, json.code, headers.get('allow')]).toEqual([
          method,
          405,
          'method_not_allowed',
          allow,
        ]);
      }
    },
  );

  it('returns 404 for unknown paths with any method', async () => {
    for (const path of ['/api/nothing', '/api/%zz', '/api/sessions/x/nothing', '/api//sessions', '/nothing'])
      for (const method of ['POST', 'DELETE'])
        expect(codeOf(await tenant.request(method, path))).toEqual([404, 'not_found']);
    expect(codeOf(await tenant.request('POST', '/api/openapi.json'))).toEqual([405, 'method_not_allowed']);
    expect(codeOf(await tenant.request('DELETE', '/%61pi/sessions/'))).toEqual([405, 'method_not_allowed']);
  });

  describe('uploads', () => {
    const part = (boundary: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="f"; filename="new.md"\r\n\r\nx\r\n`;
    const form = (boundary: string) => `${part(boundary)}--${boundary}--\r\n`;
    const long = 'b'.repeat(10_000);
    const cases: [string, string, string, [number, string]][] = [
      ['without a boundary', 'multipart/form-data', form('b'), MALFORMED],
      ['with an empty boundary', 'multipart/form-data; boundary=', form('b'), MALFORMED],
      ['with another boundary', 'multipart/form-data; boundary=z', form('b'), MALFORMED],
      [
        'with a boundary of 10,000 characters',
        `multipart/form-data; boundary=${long}`,
        form(long),
        MALFORMED,
      ],
      ['cut behind a part', 'multipart/form-data; boundary=b', part('b'), MALFORMED],
      ['cut within a file', 'multipart/form-data; boundary=b', part('b').slice(0, -3), MALFORMED],
      ['cut within a head', 'multipart/form-data; boundary=b', part('b').slice(0, 30), MALFORMED],
      [
        'whose part is named __proto__',
        'multipart/form-data; boundary=b',
        form('b').replace('"f"', '"__proto__"'),
        MALFORMED,
      ],
      ['of another kind', 'multipart/mixed; boundary=b', form('b'), [415, 'unsupported_media_type']],
    ];

    it.each(cases)('%s are rejected, and nothing is stored', async (_, type, body, expected) => {
      const { status, code } = await post(`/api/sessions/${sessionId}/inputs`, type, body);
      expect([status, code]).toEqual(expected);
      const { items } = (await tenant.get(`/api/sessions/${sessionId}/inputs`)).json;
      expect((items as { name: string }[]).map(({ name }) => name)).toEqual(['a.md']);
    });

    it('with a quoted boundary of 70 characters are accepted', async () => {
      const boundary = "a'()+_,-./:=? ".repeat(5).trimEnd().padEnd(70, 'z');
      const id = String((await tenant.post('/api/sessions', {})).json.id);
      const type = `multipart/form-data; boundary="${boundary}"`;
      expect((await post(`/api/sessions/${id}/inputs`, type, form(boundary))).status).toBe(201);
    });

    it('that contain one name twice with different content are rejected like separate uploads', async () => {
      const id = await tenant.sessionWith({ 'there.md': 'there' });
      const twice = (second: string) => {
        const body = new FormData();
        for (const content of ['one', second]) body.append('f', new Blob([content]), 'same.md');
        return tenant.post(`/api/sessions/${id}/inputs`, body);
      };
      expect(codeOf(await twice('two'))).toEqual([409, 'file_exists']);
      const names = async () =>
        ((await tenant.get(`/api/sessions/${id}/inputs`)).json.items as { name: string }[]).map(
          ({ name }) => name,
        );
      expect(await names()).toEqual(['there.md']);
      expect((await twice('one')).status).toBe(201);
      expect(await names()).toEqual(['same.md', 'there.md']);
    });

    it.each([
      ['C1', 'a\u0085b.md'],
      ['zero-width', 'a\u200bb.md'],
      ['joining', 'a\u200db.md'],
      ['byte order mark', 'a\ufeffb.md'],
      ['soft hyphen', 'a\u00adb.md'],
      ['line separator', 'a\u2028b.md'],
      ['tag of direction', 'a\u200eb.md'],
    ])('whose name contains an invisible character (%s) are rejected', async (_, name) => {
      expect(codeOf(await tenant.upload(sessionId, { [name]: 'x' }))).toEqual([422, 'invalid_file_name']);
    });
  });

  describe('JSON', () => {
    const json = (bytes: Buffer, more: string[] = []) =>
      post('/api/sessions', 'application/json', bytes, more);

    it.each([
      ['not UTF-8', Buffer.from('{"title":"Gr\u00fc\u00dfe"}', 'latin1'), [400, 'malformed_json']],
      [
        'UTF-8 that is cut',
        Buffer.from([...Buffer.from('{"title":"'), 0xe2, 0x82, 0x22, 0x7d]),
        [400, 'malformed_json'],
      ],
      ['half of a surrogate pair', Buffer.from('{"title":"\\ud800"}'), [422, 'invalid_request']],
      [
        'half of a surrogate pair as UTF-8',
        Buffer.from('7b227469746c65223a22eda080227d', 'hex'),
        [400, 'malformed_json'],
      ],
      ['a title with C1', Buffer.from('{"title":"a\u009bb"}'), [422, 'invalid_request']],
      ['a title of zero width', Buffer.from('{"title":"\u200b"}'), [422, 'invalid_request']],
      ['null', Buffer.from('null'), [422, 'invalid_request']],
      ['nothing', Buffer.from(''), [400, 'malformed_json']],
    ])('%s is rejected', async (_, bytes, expected) => {
      const { status, code } = await json(bytes);
      expect([status, code]).toEqual(expected);
    });

    it('rejects compressed bodies and names the accepted encodings', async () => {
      for (const encoding of ['gzip', 'br', 'deflate', 'x']) {
        const { status, code, headers } = await json(gzipSync('{}'), [`content-encoding: ${encoding}`]);
        expect([encoding, status, code]).toEqual([encoding, 415, 'unsupported_media_type']);
        expect(headers.get('accept-encoding')).toBe('identity');
      }
      expect((await json(Buffer.from('{}'), ['content-encoding: identity'])).status).toBe(201);
    });

    it.each(['/api/sessions', '/api/agents/runs', '/api/auth/token', '/api/keys', '/api/webhooks'])(
      'POST %s without a body is rejected',
      async (path) => {
        const { status, code } = await raw([`POST ${path} HTTP/1.1`, 'content-length: 0']);
        expect([status, code]).toEqual([422, 'invalid_request']);
      },
    );
  });

  describe('event streams', () => {
    it('reject a position that no event can have', async () => {
      const run = await tenant.startRun(await tenant.sessionWith({ 'a.md': '# A\n' }));
      for (const after of ['2147483648', '99999999999999999999', '-1', 'x'])
        expect(codeOf(await tenant.get(`/api/agents/runs/${run.id}/events?after=${after}`))).toEqual([
          422,
          'invalid_request',
        ]);
      await tenant.post(`/api/agents/runs/${run.id}/cancel`);
    });

    it('of an ended run end, from any start position', async () => {
      const run = await tenant.startRun(await tenant.sessionWith({ 'a.md': '# A\n' }));
      await tenant.post(`/api/agents/runs/${run.id}/cancel`);
      const all = (await tenant.events(run.id)).map(({ seq }) => seq);
      const last = all.at(-1)!;
      for (const after of [0, last - 1, last, last + 1, 2_147_483_647]) {
        const { status, text } = await tenant.get(`/api/agents/runs/${run.id}/events?after=${after}`);
        const seen = [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq));
        expect([after, status, seen]).toEqual([after, 200, all.filter((seq) => seq > after)]);
      }
      const resumed = await tenant.request('GET', `/api/agents/runs/${run.id}/events`, undefined, {
        'last-event-id': String(last),
      });
      expect([resumed.status, resumed.text]).toEqual([200, '']);
    });
  });
});
