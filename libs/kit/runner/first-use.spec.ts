import { gatewaySettings, loadSettings } from '#config/settings.js';
import { newId } from '#contracts/ids.js';
import { createDatabase, type Database } from '#db/client.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { chunkOf, startRawModel, textReply, type RawModel, type RawReply } from '#testing/raw-model.js';
import { createLogger } from '#telemetry/logger.js';
import { ModelEndpoints, type ModelEndpoint } from '../model/model-endpoints.js';
import { ProfileStore } from '../model/profile-store.js';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FirstUse } from './chat-models.js';

const MODEL = 'own';
const CALL = { index: 0, id: 'c', type: 'function', function: { name: 'read_file', arguments: '{}' } };
const calling: RawReply = {
  events: [chunkOf({ role: 'assistant', tool_calls: [CALL] }), chunkOf({}, 'tool_calls')],
};

describe('the first use of a model', () => {
  let database: TestDatabase;
  let db: Database;
  let server: RawModel | undefined;
  let tenantId: string;
  let endpoint: ModelEndpoint;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 4);
  });
  afterAll(async () => {
    await db.$disconnect();
    await database.drop();
  });
  afterEach(() => server?.stop());

  async function start(reply: () => RawReply) {
    const answers = startRawModel(({ tools }) => (tools ? reply() : textReply('{"colour":"green"}')), []);
    server = await answers;
    const env = { DATABASE_URL: database.url, STORAGE_DIR: '.', EGRESS_ALLOW_PRIVATE: 'true' };
    const endpoints = new ModelEndpoints(db, loadSettings(gatewaySettings, env));
    tenantId = newId('ten');
    await db.tenant.create({ data: { id: tenantId, name: 'test' } });
    await endpoints.rows.save(tenantId, {
      baseUrl: server.baseUrl,
      apiKey: null,
      model: MODEL,
      fastModel: null,
      embeddingModel: null,
      contextTokens: null,
      prices: { [MODEL]: { input: 1_000_000, output: 1_000_000 } },
    });
    endpoint = (await endpoints.of(tenantId))!;
  }

  /** Runs of one process: each gets an answer and ends. */
  async function use(runs: string[], store = new ProfileStore(db)): Promise<ProfileStore> {
    const firstUse = new FirstUse(store, createLogger('test', { level: 'silent' }));
    await store.of(endpoint, MODEL);
    for (const run of runs) firstUse.recordUse(run, { endpoint, models: [MODEL], tenantId });
    for (const run of runs) firstUse.ended(run);
    firstUse.ended('of another process');
    await firstUse.close(3_600_000);
    return store;
  }

  it('checks it once, for all runs and processes, and counts the tokens', async () => {
    await start(() => calling);
    const [store] = await Promise.all([use(['a', 'b']), use(['c'])]);
    const { facts, checkedAt, checkFailed } = await store.read(endpoint, MODEL);
    expect(facts).toMatchObject({ tools: true, parallel_calls: false, json_schema: true, json_object: true });
    expect([checkedAt, checkFailed]).toEqual([expect.any(Date), null]);
    expect(server!.requests).toHaveLength(3);
    const calls = await db.modelCall.findMany({ where: { tenantId } });
    expect(calls).toHaveLength(3);
    expect(
      calls.every(({ runId, inputTokens, cost }) => runId === null && inputTokens > 0 && cost > 0n),
    ).toBe(true);
    await use(['d']);
    expect(server!.requests).toHaveLength(3);
  });

  it('keeps what answers have shown when another part of the process reads the stored profile', async () => {
    await start(() => calling);
    const [runner, gateway] = [new ProfileStore(db), new ProfileStore(db)];
    const profile = await runner.of(endpoint, MODEL);
    profile.note({ parallel_calls: false });
    await runner.keep(endpoint, MODEL);
    profile.note({ json_schema: true });
    await gateway.of(endpoint, MODEL);
    await gateway.keep(endpoint, MODEL);
    const { facts } = await gateway.read(endpoint, MODEL);
    expect(facts).toMatchObject({ parallel_calls: false, json_schema: true });
  });

  it('does not delay a stopping process', async () => {
    const silent = createServer((request) => void request.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      await start(() => calling);
      endpoint = { ...endpoint, baseUrl: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1` };
      const firstUse = new FirstUse(new ProfileStore(db), createLogger('test', { level: 'silent' }));
      const listed = new ProfileStore(db);
      await listed.keep(endpoint, MODEL);
      const asked = once(silent, 'request');
      firstUse.recordUse('a', { endpoint, models: [MODEL], tenantId });
      firstUse.ended('a');
      await asked;
      await firstUse.close(0);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  it('stores why the check failed, and does not repeat it', async () => {
    await start(() => ({ status: 401, error: { message: 'Invalid key' } }));
    const store = await use(['a']);
    const failed = await store.read(endpoint, MODEL);
    expect(failed).toMatchObject({ checkedAt: null, checkFailed: expect.stringContaining('API key') });
    const asked = server!.requests.length;
    await use(['b']);
    expect(server!.requests).toHaveLength(asked);
    await expect(store.check(endpoint, MODEL, tenantId)).rejects.toMatchObject({
      code: 'model_unauthorized',
    });
  });
});
