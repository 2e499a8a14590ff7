import type { ApiClient } from '#testing/api-client.js';
import { jest } from '@jest/globals';
import pg from 'pg';
import { GatewayInProcess } from '../../../test/api/gateway-in-process.js';
import { FirstRequests } from './first-requests.js';
import { PurgeService } from './tenants/purge.service.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

describe('the first requests of a gateway', () => {
  let gateway: GatewayInProcess;
  let client: ApiClient;
  let sent: string[] = [];
  const query = pg.Client.prototype.query;

  beforeAll(async () => {
    // Their statements belong to the clock, not to a request.
    for (const service of [PurgeService, WebhooksService])
      jest.spyOn(service.prototype, 'onApplicationBootstrap').mockImplementation(() => undefined);
    gateway = await GatewayInProcess.start();
    client = await gateway.client('a');
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const { text } = args[0] as { text?: string };
      if (text !== undefined) sent.push(text);
      return (query as (...all: unknown[]) => unknown).apply(this, args);
    } as never;
  });
  afterAll(async () => {
    pg.Client.prototype.query = query;
    await gateway.stop();
    jest.restoreAllMocks();
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
    const before = await statementsOf(() =>
      gateway.app.get(FirstRequests).warmUp(new AbortController().signal),
    );
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
    await expect(gateway.app.get(FirstRequests).warmUp(ending)).rejects.toThrow('the process ends');
  });
});
