import { queueNames } from '#contracts/queues.js';
import type { FlowProducer, Queue } from 'bullmq';
import type { QueueBackend } from './backend.js';
import { JobQueues } from './job-queues.js';

const job = { queue: 'converter', name: 'convert', data: {}, jobId: 'a' } as const;

/** Queues whose server accepts every command and never responds. */
function silentQueues(backend: Partial<QueueBackend>, limitMs?: number) {
  const never = () => new Promise<never>(() => undefined);
  const silent = { on: () => undefined, add: never, addBulk: never, getJob: never, getJobState: never };
  const connected = {
    name: 'redis',
    onError: () => undefined,
    isAway: () => false,
    check: never,
    ...backend,
  };
  const queues = queueNames.map(() => silent as unknown as Queue);
  return new JobQueues(
    connected as unknown as QueueBackend,
    silent as unknown as FlowProducer,
    queues,
    limitMs,
  );
}

const asked = (queues: JobQueues): [string, () => Promise<unknown>][] => [
  ['add', () => queues.add(job)],
  ['addFlow', () => queues.addFlow({ parent: job, children: [] })],
  ['addFlows', () => queues.addFlows([])],
  ['state', () => queues.state('converter', 'a')],
  ['promote', () => queues.promote('converter', 'a')],
  ['remove', () => queues.remove('converter', 'a')],
  ['check', () => queues.check()],
];

it.each([
  ['is unreachable', silentQueues({ isAway: () => true })],
  ['does not respond', silentQueues({}, 1)],
])(
  'X4 every operation on a queue that %s fails with queue_unavailable without waiting',
  async (_, queues) => {
    for (const [, ask] of asked(queues))
      await expect(ask()).rejects.toMatchObject({ code: 'queue_unavailable' });
  },
);
