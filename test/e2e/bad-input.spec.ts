import { englishText, type Phrase } from '#contracts/phrases/phrase.js';
import type { ApiClient, ApiResponse } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

/** Bad input gets a clear error with a stable code; nothing is lost, and nothing partial is stored. */
describe('bad input', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let sessionId: string;

  beforeAll(async () => {
    stack = await sharedStack('gateway');
    tenant = await stack.tenant();
    sessionId = await tenant.sessionWith({ 'a.md': '# A\n' });
  });

  function expectProblem(response: ApiResponse, status: number, code: string): void {
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect({ status: response.status, code: response.json.code }).toEqual({ status, code });
    expect(response.json).toMatchObject({
      type: `https://scriptorium.dev/problems/${code}`,
      title: expect.any(String),
      status,
    });
    expect(String(response.json.detail)).toMatch(/^[A-Z"].*[.”]$/);
    expect(englishText(response.json.phrase as Phrase)).toBe(response.json.detail);
    expect(response.text).not.toMatch(/node_modules|\.ts:|at \w+ \(/);
  }

  const inputs = async () =>
    ((await tenant.get(`/api/sessions/${sessionId}/inputs`)).json.items as { name: string }[]).map(
      ({ name }) => name,
    );

  const uploads: [string, string, Uint8Array | string, number, string][] = [
    ['a binary named .md', 'photo.md', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), 422, 'not_text'],
    ['a name with ".."', 'docs/../a.md', 'x', 422, 'invalid_file_name'],
    ['an absolute name', '/etc/a.md', 'x', 422, 'invalid_file_name'],
    ['a name with "\\"', 'docs\\a.md', 'x', 422, 'invalid_file_name'],
    ['a name with a control character', 'a\u0007b.md', 'x', 422, 'invalid_file_name'],
    ['a name that is too long', `${'x'.repeat(300)}.md`, 'x', 422, 'invalid_file_name'],
    ['the same name with other content', 'a.md', '# B\n', 409, 'file_exists'],
  ];

  it.each(uploads)('rejects %s', async (_, name, content, status, code) => {
    expectProblem(await tenant.upload(sessionId, { 'fine.md': '# Fine\n', [name]: content }), status, code);
    expect(await inputs()).toEqual(['a.md']);
  });

  it.each([
    ['an unknown name', { names: ['a.md', 'b.md'] }],
    ['a name twice', { names: ['a.md', 'a.md'] }],
    ['something else than names', { names: [1] }],
    ['no names', {}],
  ])('rejects an order of inputs with %s', async (_, body) => {
    expectProblem(await tenant.post(`/api/sessions/${sessionId}/inputs/order`, body), 422, 'invalid_request');
  });

  it('rejects a file of 51 MB and stores nothing of it', async () => {
    const response = await tenant.upload(sessionId, {
      'big.log': new Uint8Array(51 * 1024 * 1024).fill(0x61),
    });
    expectProblem(response, 413, 'file_too_large');
    expect(await inputs()).toEqual(['a.md']);
  });

  it('rejects more files than a session accepts, and names the limit', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 5 }, (_, index) => [`n${index}.md`, `# ${index}\n`]),
    );
    const refused = await tenant.upload(sessionId, many);
    expectProblem(refused, 413, 'too_many_files');
    expect(refused.json.detail).toMatch(
      /^A session may have at most 5 files and has 1\. Use several sessions/,
    );
    expect(await inputs()).toEqual(['a.md']);
  });

  it('rejects an upload without a file, and one that is not multipart', async () => {
    expectProblem(
      await tenant.post(`/api/sessions/${sessionId}/inputs`, new FormData()),
      422,
      'empty_upload',
    );
    expectProblem(
      await tenant.post(`/api/sessions/${sessionId}/inputs`, { a: 1 }),
      415,
      'unsupported_media_type',
    );
  });

  it('accepts the same file again', async () => {
    expect((await tenant.upload(sessionId, { 'a.md': '# A\n' })).status).toBe(201);
    expect(await inputs()).toEqual(['a.md']);
  });

  it('rejects malformed JSON, unknown fields and wrong types, naming each', async () => {
    expectProblem(await tenant.request('POST', '/api/sessions', '{"title": '), 400, 'malformed_json');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expectProblem(
      await tenant.request('POST', '/api/sessions', 'title=x', form),
      415,
      'unsupported_media_type',
    );
    expectProblem(await tenant.post('/api/sessions', { title: 'a\u0000b' }), 422, 'invalid_request');
    expect((await tenant.post('/api/sessions', { title: 'the text \\u0000' })).status).toBe(201);
    const unknown = await tenant.post('/api/sessions', { titel: 'x' });
    expectProblem(unknown, 422, 'invalid_request');
    expect(JSON.stringify(unknown.json.errors)).toContain('titel');
    const wrongFields = async (body: unknown) => {
      const wrong = await tenant.post('/api/agents/runs', body);
      expectProblem(wrong, 422, 'invalid_request');
      return (wrong.json.errors as { path: string }[]).map(({ path }) => path);
    };
    expect(await wrongFields({ session_id: 7, inputs: 'loose' })).toEqual(['session_id', 'inputs']);
    // The inputs of a kind of run are checked after the rest.
    const inputs = { policy: 'loose', typography: 7 };
    expect(await wrongFields({ session_id: sessionId, inputs })).toEqual(
      expect.arrayContaining(['inputs.policy']),
    );
  });

  it('rejects a run without usable inputs, and a second run while one is active', async () => {
    const empty = await tenant.post('/api/sessions', {});
    expectProblem(await tenant.post('/api/agents/runs', { session_id: empty.json.id }), 422, 'no_inputs');
    const opaque = await tenant.sessionWith({ 'firmware.bin': Buffer.from([0, 1, 2]) });
    expectProblem(await tenant.post('/api/agents/runs', { session_id: opaque }), 422, 'no_inputs');
    const run = await tenant.startRun(sessionId);
    expectProblem(await tenant.post('/api/agents/runs', { session_id: sessionId }), 409, 'run_active');
    expectProblem(
      await tenant.request('DELETE', `/api/sessions/${sessionId}/inputs/a.md`),
      409,
      'file_in_use',
    );
    const order = await tenant.post(`/api/sessions/${sessionId}/inputs/order`, { names: ['a.md'] });
    expectProblem(order, 409, 'file_in_use');
    expect((await tenant.post(`/api/agents/runs/${run.id}/cancel`)).json.status).toBe('cancelled');
    expectProblem(await tenant.post(`/api/agents/runs/${run.id}/cancel`), 409, 'run_finished');
  });

  it('returns not_found for unknown resources and unauthorized for wrong keys', async () => {
    expectProblem(await tenant.get('/api/agents/runs/run_unknown'), 404, 'not_found');
    expectProblem(await tenant.get('/api/nothing/here'), 404, 'not_found');
    expectProblem(await tenant.get('/api/agents/runs/%00'), 404, 'not_found');
    for (const key of ['', 'scr_', 'scr_000000000000_' + 'a'.repeat(43), 'x'.repeat(10_000)]) {
      const response = await tenant.request('GET', '/api/sessions', undefined, {
        authorization: `Bearer ${key}`,
      });
      expectProblem(response, 401, 'unauthorized');
    }
  });

  it('accepts paths with and without a trailing slash', async () => {
    for (const path of ['/api/sessions', '/api/sessions/', '/api/health', '/api/health/']) {
      expect((await tenant.get(path)).status).toBe(200);
    }
  });
});
