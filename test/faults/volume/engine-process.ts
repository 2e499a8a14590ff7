/** One process of the engine: `node engine-process.js runner|worker|reconciler DATABASE_URL QUEUE_URL CLOCK_SHIFT_MS`; ends with its parent. */
import type { TaskName } from '#catalogue/tasks.js';
import { createDatabase } from '#db/client.js';
import type { HandlerMap } from '#engine/queue/task-handler.js';
import { deadlineProcessor } from '#engine/decisions/answer.js';
import { NotificationListener } from '#engine/events/listener.js';
import { startReconciler } from '#engine/recovery/reconciler.js';
import { RunProcessor } from '#engine/runs/advance.js';
import { taskProcessor } from '#engine/tasks/task-processor.js';
import { shiftClock } from '#testing/faults/shifted-clock.js';
import { connectJobQueues } from '#testing/queues.js';
import { volumeGraphs } from './graphs.js';

// Do this first: the parent may end before anything is connected.
process.on('disconnect', () => process.exit(0));
if (!process.connected) process.exit(0);

const [role, databaseUrl, queueUrl, clockShift] = process.argv.slice(2) as [string, string, string, string];
shiftClock(Number(clockShift));
const silent = () => undefined;
const db = createDatabase(databaseUrl, 5);
const queues = await connectJobQueues(queueUrl, { maxConnections: 5, onError: silent });
const engine = { db, queues, log: { info: silent, warn: silent, error: silent }, kinds: new Map() };
const starts: Record<string, () => unknown> = {
  runner: () => {
    queues.work('agent-runner', new RunProcessor(engine, volumeGraphs(db)), { concurrency: 10 });
    return queues.work('human-input', deadlineProcessor(engine), { concurrency: 4 });
  },
  worker: () => {
    const handler = {
      handle: ({ manuscript }: { manuscript: string }) =>
        Promise.resolve({ structure_json_path: `done ${manuscript}` }),
    };
    const handlers = new Map([['parse_to_json' as TaskName, handler]]) as HandlerMap;
    return queues.work('converter', taskProcessor(engine, 'converter', handlers), { concurrency: 10 });
  },
  reconciler: () => startReconciler(engine, new NotificationListener(databaseUrl)),
};
starts[role]!();
// If the database is briefly unavailable, the process ends, and its keeper starts another.
process.on('unhandledRejection', () => process.exit(1));
