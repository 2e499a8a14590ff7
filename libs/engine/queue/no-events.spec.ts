import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { connectJobQueues } from '#testing/queues.js';
import { until } from '#testing/until.js';
import pg from 'pg';

/** API3: names of deleted items do not remain in the queue. */
describe('the event stream of the queue in PostgreSQL', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url, options: '-c search_path=bullmq' });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const stored = async () => (await client.query('SELECT queue, event, data FROM event')).rows;
  const connect = () => connectJobQueues(database.url, { onError: () => undefined });

  it('is not stored for any change of a job, and workers still receive their jobs', async () => {
    const queues = (await Promise.all([connect(), connect(), connect()])) as [
      Awaited<ReturnType<typeof connect>>,
      ...Awaited<ReturnType<typeof connect>>[],
    ];
    const done: string[] = [];
    const worker = queues[0].work('scanner', async ({ id }) => void done.push(id!), { concurrency: 1 });
    const add = (jobId: string, delay?: number) => ({
      queue: 'scanner' as const,
      name: 'scan_assets',
      jobId,
      data: {},
      ...(delay === undefined ? {} : { options: { delay } }),
    });
    await queues[1]!.add(add('one'));
    await queues[1]!.addFlows([{ parent: add('parent'), children: [add('child')] }]);
    await queues[1]!.add(add('late', 3_600_000));
    await queues[2]!.promote('scanner', 'late');
    await until(
      'four jobs to be done',
      () => done,
      ({ length }) => length === 4,
    );
    await worker.close();
    expect(await stored()).toEqual([]);
    await Promise.all(queues.map((each) => each.close()));
  });

  it('of an earlier version is deleted', async () => {
    await client.query('DROP TRIGGER store_no_events ON event');
    await client.query(`INSERT INTO event (queue, event, created_at_ms) VALUES ('scanner', 'waiting', 0)`);
    expect(await stored()).toHaveLength(1);
    await (await connect()).close();
    expect(await stored()).toEqual([]);
  });
});
