import { createDatabase } from '#db/client.js';
import { createTestDatabase } from '#testing/postgres.js';
import { QueueUnavailableError, type Job } from '../queue/job-queues.js';
import { ObjectNotFoundError, StorageUnavailableError } from '#storage/object-store.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { until } from '#testing/until.js';
import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { isOutage } from './outage.js';
import { taskProcessor } from '../tasks/task-processor.js';

const failure = async (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => undefined,
    (error: unknown) => error,
  );

describe('isOutage', () => {
  it('distinguishes a lost connection from an invalid statement', async () => {
    const database = await createTestDatabase();
    const db = createDatabase(database.url, 1);
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    try {
      expect(isOutage(await failure(() => db.$queryRaw`SELECT * FROM no_such_table`))).toBe(false);
      await admin.query('SELECT pg_advisory_lock(1)');
      const waiting = failure(() => db.$queryRaw`SELECT pg_advisory_lock(1)::text`);
      await until(
        'the session that waits for the lock to be ended',
        async () =>
          (
            await admin.query(`
              SELECT pg_terminate_backend(pid) FROM pg_locks
              WHERE locktype = 'advisory' AND NOT granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
          ).rowCount,
      );
      expect(isOutage(await waiting)).toBe(true);
      const lost = new pg.Client({ connectionString: database.url });
      await lost.connect();
      const isLost = new Promise((resolve) => lost.once('error', resolve).on('error', () => undefined));
      const { rows } = await lost.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await admin.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
      await isLost;
      expect(isOutage(await failure(() => lost.query('SELECT 1')))).toBe(true);
    } finally {
      await admin.end();
      await db.$disconnect();
      await database.drop();
    }
  });

  it('returns true for a full disk', async () => {
    const full = await failure(() => writeFile('/dev/full', 'x'));
    expect(isOutage(full)).toBe(true);
    expect(isOutage(new Error('upload failed', { cause: full }))).toBe(true);
  });

  it('returns true for a queue that is unavailable', () =>
    expect(isOutage(new QueueUnavailableError('It is away.'))).toBe(true));

  it('returns true for an object store that is unavailable, but not for a missing object', () => {
    const refused = new StorageUnavailableError('AccessDenied');
    expect(isOutage(refused)).toBe(true);
    expect(isOutage(new Error('the step failed', { cause: refused }))).toBe(true);
    expect(isOutage(new ObjectNotFoundError('a'))).toBe(false);
  });

  it('returns true for an unreachable server, and false for all other errors', async () => {
    const db = createDatabase('postgres://nobody@127.0.0.1:1/none', 1);
    expect(isOutage(await failure(() => db.$queryRaw`SELECT 1`))).toBe(true);
    await db.$disconnect();
    for (const other of [new Error('no'), new TypeError('x is not a function'), 'text', null, undefined, 7])
      expect(isOutage(other)).toBe(false);
  });
});

describe('a task whose worker cannot use the object store', () => {
  it('is retried until the store is available, and shows the reason meanwhile', async () => {
    const bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
    try {
      bed.runner({ hop: new TinyGraph([{ kind: 'remote', name: 'a' }]) });
      const runId = await bed.start(await bed.tenant(), 'hop');
      await bed.until(runId, 'waiting');
      const task = async () => (await bed.tasks(runId))[0]!;
      const { id, name } = await task();
      let isAway = true;
      const handle = () => {
        if (isAway) throw new StorageUnavailableError('The bucket files cannot be used: AccessDenied');
        return Promise.resolve({ structure_json_path: 'done' });
      };
      const handlers = new Map([[name, { handle }]]) as never;
      const job = { name, data: { v: 1, run_id: runId, task_id: id }, timestamp: Date.now() } as Job;
      const attempt = () =>
        taskProcessor(bed.engine, 'converter', handlers).process(job, new AbortController().signal);
      for (let time = 0; time < 5; time++)
        await expect(attempt()).rejects.toMatchObject({ code: 'storage_unavailable' });
      const message = 'The bucket files cannot be used: AccessDenied';
      expect(await task()).toMatchObject({
        status: 'pending',
        attempts: 0,
        error: { code: 'storage_unavailable', message },
      });
      isAway = false;
      await attempt();
      expect(await task()).toMatchObject({ status: 'completed', attempts: 1, error: null });
    } finally {
      await bed.close();
    }
  });
});
