/** A runner as a process of its own: `node runner-process.js DATABASE_URL QUEUE_URL CONCURRENCY`; ends with its parent. */
import { createDatabase } from '#db/client.js';
import { connectJobQueues } from '#queue/job-queues.js';
import { startDeadlineWorker } from '#run-engine/deadline-worker.js';
import { RunWorker } from '#run-engine/run-worker.js';
import { startTaskWorker } from '#run-engine/task-worker.js';
import type { TaskName } from '#contracts/tasks.js';
import type { HandlerMap } from '#queue/task-handler.js';
import { benchGraphs } from './graphs.js';

const [databaseUrl, queueUrl, role, concurrency] = process.argv.slice(2) as [string, string, string, string];
const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
const queues = await connectJobQueues(queueUrl, { maxConnections: 5, onError: console.error });
const engine = { db: createDatabase(databaseUrl, 8), queues, log: quiet, kinds: new Map() };
if (role === 'runner') {
  new RunWorker(engine, benchGraphs, Number(concurrency));
  startDeadlineWorker(engine);
} else {
  const handler = { handle: async () => Promise.resolve({ structure_json_path: 'done' }) };
  const handlers = new Map([['parse_to_json' as TaskName, handler]]) as unknown as HandlerMap;
  startTaskWorker(engine, 'converter', handlers, Number(concurrency));
}
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
