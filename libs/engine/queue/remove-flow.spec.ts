import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { emptyRedis } from '#testing/redis.js';
import { queueColumns } from '#testing/columns.js';
import { connectJobQueues, type ConnectedQueues } from '#testing/queues.js';
import { until } from '#testing/until.js';

describe.each(queueColumns())('X4 the flow of a pause on the $name queue', ({ name, queueUrl }) => {
  let database: TestDatabase;
  let queues: ConnectedQueues;

  beforeAll(async () => {
    database = await createTestDatabase();
    const url = name === 'redis' ? await emptyRedis(queueUrl!) : database.url;
    queues = await connectJobQueues(url, { onError: () => undefined });
  });
  afterAll(async () => {
    await queues.close();
    await database.drop();
  });

  const addPause = (run: string) =>
    queues.addFlow({
      parent: { queue: 'agent-runner', name: 'advance', jobId: `${run}.1`, data: {} },
      children: [
        { queue: 'converter', name: 'parse_to_json', jobId: `${run}.task`, data: {} },
        {
          queue: 'human-input',
          name: 'human_input',
          jobId: `${run}.question`,
          data: {},
          options: { delay: 3_600_000 },
        },
      ],
    });
  const statesOf = async (run: string) => ({
    parent: await queues.state('agent-runner', `${run}.1`),
    task: await queues.state('converter', `${run}.task`),
    question: await queues.state('human-input', `${run}.question`),
  });

  it('is removed with the job of an answered question, so that no stale leg begins', async () => {
    await addPause('answered');
    await queues.remove('human-input', 'answered.question', true);
    expect(await statesOf('answered')).toEqual({ parent: 'unknown', task: 'unknown', question: 'unknown' });
    await queues.remove('human-input', 'answered.question', true);
  });

  it('waits for its other jobs if only the job is removed, or another one is being processed', async () => {
    await addPause('alone');
    await queues.remove('human-input', 'alone.question');
    expect(await statesOf('alone')).toMatchObject({ parent: 'waiting-children', question: 'unknown' });

    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const worker = queues.work('converter', () => ended, { concurrency: 5 });
    await addPause('busy');
    const isActive = (state: string) => state === 'active';
    await until('an active task', () => queues.state('converter', 'busy.task'), isActive);
    await queues.remove('human-input', 'busy.question', true);
    expect(await statesOf('busy')).toEqual({
      parent: 'waiting-children',
      task: 'active',
      question: 'unknown',
    });
    end();
    await worker.close();
  });
});
