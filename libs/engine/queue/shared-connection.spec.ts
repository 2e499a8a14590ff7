import type { QueueName } from '#contracts/queues.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { connectJobQueues, type ConnectedQueues } from '#testing/queues.js';
import { until } from '#testing/until.js';
import type { QueueBaseOptions } from 'bullmq';
import pg from 'pg';
import { openQueueBackend } from './backend.js';
import { onSharedConnection } from './backend.js';

const WORKED: QueueName[] = ['scanner', 'validator', 'converter'];

describe('the connection to PostgreSQL of all queues and workers of a process', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let queues: ConnectedQueues;
  const done: string[] = [];
  /** Largest number of concurrent statements of any session. */
  let most = 0;
  const { query } = pg.Client.prototype;

  beforeAll(async () => {
    const running = new Map<pg.Client, number>();
    pg.Client.prototype.query = function (this: pg.Client, ...statement: unknown[]) {
      const result = (query as (...given: unknown[]) => unknown).apply(this, statement);
      if (!(result instanceof Promise)) return result;
      const count = (by: number) => running.set(this, (running.get(this) ?? 0) + by).get(this)!;
      most = Math.max(most, count(1));
      return result.finally(() => count(-1));
    } as typeof query;
    database = await createTestDatabase();
    admin = new pg.Client(database.url);
    await admin.connect();
    queues = await connectJobQueues(database.url, { maxConnections: 3, onError: () => undefined });
    for (const queue of WORKED)
      queues.work(queue, ({ id }) => Promise.resolve(void done.push(id!)), { concurrency: 2 });
  });
  afterAll(async () => {
    pg.Client.prototype.query = query;
    await queues.close();
    await admin.end();
    await database.drop();
  });

  const add = (round: string) =>
    Promise.all(
      WORKED.map((queue) => queues.add({ queue, name: 'work', jobId: `${round}-${queue}`, data: {} })),
    );
  const processed = (round: string) =>
    until(
      'each worker to process its job',
      () => done.filter((id) => id.startsWith(round)),
      ({ length }) => length === WORKED.length,
    );
  const listening = async () => {
    const { rows } = await admin.query<{ pid: number; name: string }>(
      `SELECT pid, application_name AS name FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE '%scanner%'`,
    );
    return rows;
  };

  it('listens in one session, which names the workers for bull-board', async () => {
    await add('first');
    await processed('first');
    const sessions = await listening();
    expect(sessions.map(({ name }) => name.split(',').sort())).toEqual([[...WORKED].sort()]);
    const workers = queues.all().map(async (queue) => [queue.name, await queue.getWorkersCount()] as const);
    const counted = Object.fromEntries(await Promise.all(workers)) as Record<string, number>;
    expect(counted).toMatchObject({ scanner: 1, validator: 1, converter: 1, tools: 0 });
  });

  it('has at most its maximum of connections', async () => {
    const { rows } = await admin.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    expect(rows.length).toBeLessThanOrEqual(3);
  });

  it('listens again after the server ended the session', async () => {
    const [session] = await listening();
    await admin.query('SELECT pg_terminate_backend($1)', [session!.pid]);
    await until('a new session', listening, (sessions) => sessions.some(({ pid }) => pid !== session!.pid));
    await add('second');
    await processed('second');
  });

  it('executes one statement at a time in the session that listens', () => {
    expect(most).toBe(1);
  });

  it('looks for stalled jobs only in queues with active jobs', async () => {
    const check = async () => {
      const backend = await openQueueBackend(database.url, { onError: () => undefined });
      const { connection } = backend;
      const tools = onSharedConnection('tools', {
        connection,
        stalledInterval: 0,
      } as object as QueueBaseOptions);
      const reclaimed = [await tools.moveStalledJobsToWait(), await tools.moveStalledJobsToWait()];
      await backend.close();
      return reclaimed;
    };
    const checks = async () => {
      const { rows } = await admin.query(
        `SELECT 1 FROM bullmq.meta WHERE queue = 'tools' AND field = 'stalled-check'`,
      );
      return rows.length;
    };
    await queues.add({ queue: 'tools', name: 'work', jobId: 'stalled', data: {} });
    expect(await check()).toEqual([[], []]);
    expect(await checks()).toBe(0);
    await admin.query(`UPDATE bullmq.job SET state = 'active', locked_until_ms = 1 WHERE queue = 'tools'`);
    expect(await check()).toEqual([[], ['stalled']]);
    expect(await checks()).toBe(1);
  });
});
