/**
 * Measures the queue alone on both backends: `npm run bench:queue [-- --json file]`. Measures a job from `add` to its
 * end, and a hop: the pause of a run as the engine creates it (a parent with one child), from adding the flow to the
 * parent's turn. `bench:engine` measures the total cost of a run's hop, including PostgreSQL.
 */
import { loadavg } from 'node:os';
import { connectJobQueues } from '#testing/queues.js';
import { startServers } from './engine/bench-stack.js';
import { percentiles, type Percentiles } from './engine/figures.js';
import { benchOptions } from './options.js';

const { sizes, save } = benchOptions({ samples: [400, 30] });

interface QueueFigures {
  addToDoneMs: Percentiles;
  hopMs: Percentiles;
}

async function measure(url: string): Promise<QueueFigures> {
  const queues = await connectJobQueues(url, { maxConnections: 8, onError: console.error });
  const ended = new Map<string, () => void>();
  const end = async ({ id }: { id?: string | undefined }) => Promise.resolve(ended.get(id!)?.());
  for (const queue of ['converter', 'agent-runner'] as const) queues.work(queue, end, { concurrency: 10 });
  const job = (queue: 'converter' | 'agent-runner', jobId: string) => ({
    queue,
    name: 'bench',
    data: {},
    jobId,
  });
  const untilEnded = async (jobId: string, add: () => Promise<void>) => {
    const from = performance.now();
    const end = new Promise<void>((resolve) => ended.set(jobId, resolve));
    await add();
    await end;
    return performance.now() - from;
  };
  const single = (id: string) => untilEnded(id, () => queues.add(job('converter', id)));
  const hop = (id: string) =>
    untilEnded(id, () =>
      queues.addFlows([{ parent: job('agent-runner', id), children: [job('converter', `${id}-child`)] }]),
    );
  const series = async (name: string, sample: (id: string) => Promise<number>) => {
    const values: number[] = [];
    for (let index = 0; index < sizes.samples; index++) values.push(await sample(`${name}-${index}`));
    return percentiles(values.slice(20));
  };
  const figures = { addToDoneMs: await series('single', single), hopMs: await series('hop', hop) };
  await queues.close();
  return figures;
}

const servers = await startServers();
try {
  const result = {
    load: loadavg(),
    redis: await measure(servers.redisUrl),
    postgres: await measure(servers.databaseUrl),
  };
  const show = ({ p50, p95 }: Percentiles) => `${p50} / ${p95}`;
  const row = ({ addToDoneMs, hopMs }: QueueFigures) => ({
    'add → done ms': show(addToDoneMs),
    'hop ms': show(hopMs),
  });
  console.table({ redis: row(result.redis), postgres: row(result.postgres) });
  console.log(`Load average: ${result.load.map((value) => value.toFixed(1)).join(' ')}`);
  save(result);
} finally {
  await servers.stop();
}
