import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, runCli } from '#testing/cli.js';
import { startEmbeddingStub } from '#testing/embedding-stub.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { until } from '#testing/until.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

const KEY = 'sk-of-one-tenant-only';
const WINDOW = 32_768;

/** B23: a tenant's own model, and the facts that the service stores about it. */
describe('B23 the model endpoint of a tenant', () => {
  let stack: SharedStack;
  let stub: ModelStub;

  beforeAll(async () => {
    stack = await sharedStack('private');
    stub = await startModelStub({ models: [{ id: 'own-model', max_model_len: WINDOW }] });
  });
  afterAll(() => stub.stop());

  const endpoint = () => ({ base_url: `${stub.baseUrl}/`, api_key: KEY, model: 'own-model' });
  const write = async (tenant: ApiClient) => {
    const { id } = await tenant.startRun(await tenant.sessionWith({ 'notes.txt': 'The lamp was lit.\n' }));
    return tenant.completed(id);
  };

  it('writes with the endpoint of the tenant, and answers are limited by its window', async () => {
    const [tenant, other] = [await stack.tenant(), await stack.tenant()];
    expect((await tenant.get('/api/model')).json).toEqual({
      source: 'none',
      endpoint: null,
      models: [],
      embedding: null,
    });
    const set = await tenant.post('/api/model/endpoint', endpoint());
    expect(set.json).toMatchObject({
      source: 'tenant',
      endpoint: { base_url: stub.baseUrl, has_key: true, context_tokens: null, prices: {} },
      models: [{ name: 'own-model', uses: ['main', 'fast'], checked_at: null }],
    });
    expect(set.text).not.toContain(KEY);

    expect((await write(tenant)).model).toBe('own-model');
    expect(stub.keys).toEqual(new Set([`Bearer ${KEY}`]));
    const limits = stub.requests.map(({ max_tokens: limit }) => limit as number);
    expect(limits.length).toBeGreaterThan(1);
    expect(limits.every((limit) => limit > 1_024 && limit < WINDOW)).toBe(true);

    const { json, text } = await tenant.get('/api/model');
    expect(json.models).toEqual([
      expect.objectContaining({
        facts: expect.objectContaining({ context_tokens: WINDOW, tools: true, stream_usage: true }),
        consequences: [],
      }),
    ]);
    expect(text).not.toContain(KEY);
    expect((await stack.log()).includes(KEY)).toBe(false);

    const before = stub.requests.length;
    expect((await write(other)).model).not.toBe('own-model');
    expect((await other.get('/api/model')).json.source).toBe('none');
    expect(stub.requests).toHaveLength(before);
  });

  it('checks the endpoint on demand, also again within a minute', async () => {
    const limited = await startModelStub({
      respond: ({ tools, response_format: format }) => {
        if (tools) return { status: 400, message: 'own-model does not support tools' };
        return (format as { type?: string } | undefined)?.type === 'json_schema'
          ? { status: 400, message: 'response_format json_schema is not supported' }
          : { text: '{"colour":"green"}' };
      },
    });
    try {
      const tenant = await stack.tenant();
      await tenant.post('/api/model/endpoint', { ...endpoint(), base_url: limited.baseUrl });
      const { json } = await tenant.post('/api/model/check');
      expect(json.models).toEqual([
        expect.objectContaining({
          checked_at: expect.any(String),
          facts: expect.objectContaining({ tools: false, json_schema: false, json_object: true }),
          consequences: [
            { code: 'no_tools', text: expect.stringContaining('cannot write documents') },
            { code: 'unknown_window', text: expect.any(String) },
            { code: 'no_json_schema', text: expect.stringContaining('as JSON objects') },
          ],
        }),
      ]);
      const asked = limited.requests.length;
      await tenant.post('/api/model/check');
      expect(limited.requests.length).toBeGreaterThan(asked);
    } finally {
      await limited.stop();
    }
  });

  it('explains why an endpoint cannot be checked', async () => {
    const refusing = await startModelStub({ respond: () => ({ status: 401 }) });
    try {
      const tenant = await stack.tenant();
      expect(await tenant.post('/api/model/check')).toMatchObject({
        status: 422,
        json: { code: 'no_model' },
      });
      await tenant.post('/api/model/endpoint', { ...endpoint(), base_url: refusing.baseUrl });
      const failed = await tenant.post('/api/model/check');
      expect(failed).toMatchObject({ status: 502, json: { code: 'model_failed' } });
      expect(failed.json.detail).toContain('refused the API key');
    } finally {
      await refusing.stop();
    }
  });

  it('keeps the key only with the same URL, and deletes it with the endpoint', async () => {
    const tenant = await stack.tenant();
    await tenant.post('/api/model/endpoint', endpoint());
    const keyOf = async (body: object) =>
      ((await tenant.post('/api/model/endpoint', body)).json as { endpoint: { has_key: boolean } }).endpoint
        .has_key;
    const { api_key: _, ...keyless } = endpoint();
    expect(await keyOf({ ...keyless, model: 'other' })).toBe(true);
    expect(await keyOf({ ...keyless, base_url: 'http://127.0.0.1:9/v1' })).toBe(false);
    expect((await tenant.request('DELETE', '/api/model/endpoint')).status).toBe(204);
    expect((await tenant.get('/api/model')).json).toMatchObject({ source: 'none', endpoint: null });
  });

  it('rejects forbidden addresses, and keys that cannot be sent in a header', async () => {
    const tenant = await stack.tenant();
    const codeOf = async (body: object) => (await tenant.post('/api/model/endpoint', body)).json.code;
    expect(await codeOf({ ...endpoint(), base_url: 'ftp://127.0.0.1/' })).toBe('model_endpoint_refused');
    expect(await codeOf({ ...endpoint(), api_key: 'line\nbreak' })).toBe('invalid_request');
    const strict = await (await sharedStack('gateway')).tenant();
    for (const base_url of ['http://127.0.0.1:9/v1', 'https://127.0.0.1/v1', 'https://169.254.169.254/v1'])
      expect((await strict.post('/api/model/endpoint', { ...endpoint(), base_url })).json.code).toBe(
        'model_endpoint_refused',
      );
  });

  it('uses the prices of the endpoint for budgets in money', async () => {
    const tenant = await stack.tenant();
    await tenant.post('/api/model/endpoint', endpoint());
    const start = async () => {
      const session = await tenant.sessionWith({ 'notes.txt': 'The lamp was lit.\n' });
      const body = { kind: 'document', session_id: session, inputs: {}, budget: { max_cost: 10_000_000 } };
      return tenant.post('/api/agents/runs', body);
    };
    expect((await start()).json.code).toBe('model_price_unknown');
    const prices = { 'own-model': { input: 1_000_000, output: 1_000_000 } };
    await tenant.post('/api/model/endpoint', { ...endpoint(), prices });
    const ended = await tenant.completed(String((await start()).json['id']));
    expect(ended.usage.cost).toBeGreaterThan(0);
  });

  it('embeds the sources and queries of the tenant with the embedding model of its endpoint', async () => {
    const vectors = await startEmbeddingStub((text) => [/boat|vessel/i.test(text) ? 1 : 0, 0.1]);
    try {
      const [tenant, other] = [await stack.tenant(), await stack.tenant()];
      const own = { ...endpoint(), base_url: vectors.baseUrl, embedding_model: 'own-vectors' };
      const { json } = await tenant.post('/api/model/endpoint', own);
      expect(json).toMatchObject({
        endpoint: { embedding_model: 'own-vectors' },
        embedding: { source: 'tenant', name: 'own-vectors' },
      });
      const collection = async (of: ApiClient) => {
        const { json: made } = await of.post('/api/knowledge/collections', {
          name: 'Ships',
          purpose: 'knowledge',
        });
        const path = `/api/knowledge/collections/${String(made.id)}`;
        for (const text of ['The boat left at noon.', 'A loaf lay on the table.'])
          await of.post(`${path}/sources`, { name: text.slice(0, 8), text });
        await until(
          'the notes are indexed',
          async () => (await of.get(`${path}/sources`)).json.items as { state: string }[],
          (sources) => sources.length === 2 && sources.every(({ state }) => state === 'ready'),
        );
        return { path, id: String(made.id) };
      };
      const [ships, others] = [await collection(tenant), await collection(other)];
      const search = (of: ApiClient, id: string) =>
        of.post('/api/knowledge/search', { collections: [id], query: 'vessel', mode: 'semantic' });
      const found = await search(tenant, ships.id);
      expect(found.json).toMatchObject({
        degraded: [],
        hits: [{ source_name: expect.stringContaining('The bo') }, {}],
      });
      expect((await tenant.get(ships.path)).json.vector_model).toMatch(
        /^own-vectors \(endpoint [0-9a-f]{8}\)$/,
      );
      expect(new Set(vectors.asked.map(({ model, key }) => `${model} ${key}`))).toEqual(
        new Set([`own-vectors Bearer ${KEY}`]),
      );
      expect((await search(other, others.id)).json.code).toBe('no_embeddings');
      expect((await stack.log()).includes(KEY)).toBe(false);
    } finally {
      vectors.stop();
    }
  });

  it('is set, shown, checked and reset by the command', async () => {
    const tenant = await stack.tenant();
    const env = { ...cliEnv(tenant), SCRIPTORIUM_MODEL_KEY: KEY };
    const model = (...args: string[]) => runCli(['model', ...args], { cwd: process.cwd(), env });
    const set = await model(
      'set',
      stub.baseUrl,
      'own-model',
      '--fast',
      'small',
      '--embedding',
      'vectors',
      '--context-tokens',
      '16000',
    );
    expect(set).toMatchObject({ code: 0, stderr: '' });
    expect(set.stdout).toContain(`your endpoint ${stub.baseUrl}, with a key`);
    expect(set.stdout).toContain('small  (plans and reviews)');
    expect(set.stdout).toContain('Search by meaning uses vectors of your endpoint.');
    expect(set.stdout).not.toContain(KEY);
    const { stdout } = await model('show', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      endpoint: { context_tokens: 16_000 },
      models: [{ facts: { context_tokens: 16_000 } }, { name: 'small' }],
    });
    expect(await model('set', stub.baseUrl, 'm', '--prices', '{')).toMatchObject({ code: 1 });
    expect((await model('reset')).stdout).toContain('There is no model: rules write.');
    const refused = await model('check');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no model to check') });
  });
});
