import { SessionRepository } from '#db/repositories/sessions.js';
import { JobQueues, QueueUnavailableError } from '#engine/queue/job-queues.js';
import { StorageUnavailableError } from '#storage/object-store.js';
import { ApiClient, type ApiResponse } from '#testing/api-client.js';
import { TEST_ADMIN_PASSWORD } from '#testing/test-stack.js';
import { jest } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { GatewayInProcess } from './gateway-in-process.js';

/** Errors that a part of the service throws while it is unavailable. */
const OUTAGES: [string, () => Promise<never>][] = [
  ['the object store', () => Promise.reject(new StorageUnavailableError('The bucket files cannot be used'))],
  ['a full disk', () => writeFile('/dev/full', 'x') as Promise<never>],
  [
    'the database',
    () => Promise.reject(Object.assign(new Error('secret-host: refused'), { code: 'ECONNREFUSED' })),
  ],
];

describe('while a part of the service is unavailable', () => {
  let gateway: GatewayInProcess;
  let client: ApiClient;

  beforeAll(async () => {
    gateway = await GatewayInProcess.start({ ADMIN_PASSWORD: TEST_ADMIN_PASSWORD });
    client = await gateway.client('a');
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => gateway.stop());

  const expectUnavailable = ({ status, headers, json, text }: ApiResponse) => {
    expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
    expect(text).not.toMatch(/secret-host|bucket|ECONN|ENOSPC/);
  };

  it.each(OUTAGES)('API8 returns 503 with Retry-After and without the cause: %s', async (_, fail) => {
    jest.spyOn(SessionRepository.prototype, 'page').mockImplementation(fail);
    expectUnavailable(await client.get('/api/sessions'));
  });

  it('API8 returns the same if the credentials cannot be looked up', async () => {
    const { db } = gateway.infrastructure;
    const lost = Object.assign(new Error('secret-host: refused'), { code: 'P1001' });
    jest.spyOn(db, '$statement').mockRejectedValue(lost);
    jest.spyOn(db.apiKey, 'findFirst').mockRejectedValue(lost);
    const stranger = new ApiClient(gateway.url, 'sk_unknown_000000000000000000000000000000000000');
    expectUnavailable(await stranger.get('/api/sessions'));
  });

  it('API8 X4 starts a run while the queue is unavailable, and returns 503 for views of the queue', async () => {
    const queues = gateway.app.get(JobQueues);
    const session = await client.sessionWith({ 'notes.md': 'Read at dawn.' });
    jest.spyOn(queues, 'add').mockRejectedValue(new QueueUnavailableError('It is away.'));
    const { id } = await client.startRun(session);
    expect((await client.get(`/api/agents/runs/${id}`)).json.status).toBe('queued');
    for (const queue of queues.all()) {
      jest.spyOn(queue, 'getJobCounts').mockImplementation(() => new Promise(() => undefined));
      jest.spyOn(queue, 'getFailedCount').mockImplementation(() => new Promise(() => undefined));
    }
    Object.assign(queues, { limitMs: 1 });
    const authorization = `Basic ${Buffer.from(`admin:${TEST_ADMIN_PASSWORD}`).toString('base64')}`;
    const asAdmin = (path: string) =>
      new ApiClient(gateway.url, null).request('GET', path, undefined, { authorization });
    for (const path of ['queues', 'dead-letters']) expectUnavailable(await asAdmin(`/api/admin/${path}`));
    expect((await asAdmin('/metrics')).text).toContain('scriptorium_metrics_readable{part="queue"} 0');
  });
});
