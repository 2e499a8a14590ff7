import { gatewaySettings, loadSettings } from '#config/settings.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { NotificationListener } from '#events/listener.js';
import { knownKinds } from '#kinds/registry.js';
import { EVENTS_CHANNEL } from '#run-engine/event-log.js';
import { openInfrastructure, type Infrastructure } from '#runtime/infrastructure.module.js';
import { ApiClient } from '#testing/api-client.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { createTestStorage, type TestStorage } from '#testing/storage.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { createGateway } from './create-gateway.js';
import { FirstRequests } from './first-requests.js';

describe('the first requests of a gateway', () => {
  let database: TestDatabase;
  let storage: TestStorage;
  let infrastructure: Infrastructure;
  let listener: NotificationListener;
  let app: NestFastifyApplication;
  let client: ApiClient;
  let sent: string[] = [];
  const query = pg.Client.prototype.query;

  beforeAll(async () => {
    database = await createTestDatabase();
    storage = await createTestStorage({ name: 'directory' });
    const env = { ...storage.env, DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
    const settings = loadSettings(gatewaySettings, env);
    infrastructure = await openInfrastructure('gateway', settings, knownKinds);
    listener = new NotificationListener(database.url, [EVENTS_CHANNEL]);
    await listener.start();
    app = await createGateway(infrastructure, settings, listener);
    await app.listen(0, '127.0.0.1');
    const tenants = new TenantRepository(infrastructure.db);
    const key = await tenants.createApiKey(await tenants.create('a'), 'test');
    client = new ApiClient(await app.getUrl(), key);
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const { text } = args[0] as { text?: string };
      if (text !== undefined) sent.push(text);
      return (query as (...all: unknown[]) => unknown).apply(this, args);
    } as never;
  });
  afterAll(async () => {
    pg.Client.prototype.query = query;
    await listener.stop();
    await app.close();
    await infrastructure.close();
    await database.drop();
    await storage.drop();
  });

  /** What is asked of the database meanwhile, each statement once. */
  async function statementsOf(work: () => Promise<unknown>): Promise<Set<string>> {
    sent = [];
    await work();
    return new Set(sent);
  }

  /** Not of nobody, or in as many forms as there are numbers of files. */
  const CANNOT_BE_ASKED_BEFORE = /INSERT|UPDATE|DELETE|pg_notify|dispatch_runs|"name" IN/;

  it('ask nothing that was not asked before, which wrote nothing', async () => {
    const before = await statementsOf(() => app.get(FirstRequests).warmUp(new AbortController().signal));
    expect([...before].filter((text) => /\b(INSERT INTO|DELETE FROM|SET (?!LOCAL))/.test(text))).toEqual([]);

    const read = await statementsOf(async () => {
      const session = await client.sessionWith({ 'notes.md': 'a line\n' });
      const run = await client.startRun(session);
      await client.get(`/api/agents/runs/${run.id}`);
      await client.get(`/api/sessions/${session}/exports`);
      expect((await client.get(`/api/sessions/${session}/manuscript`)).status).toBe(404);
    });
    const reading = [...read].filter((text) => /^\s*(\/\*.*\*\/\s*)?(SELECT|WITH)\b/.test(text));
    const unheard = reading.filter((text) => !before.has(text) && !CANNOT_BE_ASKED_BEFORE.test(text));
    expect(unheard).toEqual([]);
  });

  it('end with the process', async () => {
    const ending = AbortSignal.abort(new Error('the process ends'));
    await expect(app.get(FirstRequests).warmUp(ending)).rejects.toThrow('the process ends');
  });
});
