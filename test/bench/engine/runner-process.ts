/**
 * A runner in a separate process: `node runner-process.js DATABASE_URL QUEUE_URL CONCURRENCY`; ends with its parent.
 */
import { createDatabase } from '#db/client.js';
import { deadlineProcessor } from '#engine/decisions/answer.js';
import { RunProcessor } from '#engine/runs/advance.js';
import { taskProcessor } from '#engine/tasks/task-processor.js';
import { buildNoRunTrees } from '#kit/runner/without-run-trees.js';
import { connectJobQueues } from '#testing/queues.js';
import type { TaskName } from '#catalogue/tasks.js';
import type { HandlerMap } from '#engine/queue/task-handler.js';
import { benchGraphs } from './graphs.js';

const [databaseUrl, queueUrl, role, concurrency] = process.argv.slice(2) as [string, string, string, string];
// As the app does.
buildNoRunTrees();
const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
const queues = await connectJobQueues(queueUrl, { maxConnections: 5, onError: console.error });
const engine = { db: createDatabase(databaseUrl, 8), queues, log: quiet, kinds: new Map() };
if (role === 'runner') {
  queues.work('agent-runner', new RunProcessor(engine, benchGraphs), { concurrency: Number(concurrency) });
  queues.work('human-input', deadlineProcessor(engine), { concurrency: 4 });
} else {
  const handler = { handle: async () => Promise.resolve({ structure_json_path: 'done' }) };
  const handlers = new Map([['parse_to_json' as TaskName, handler]]) as HandlerMap;
  queues.work('converter', taskProcessor(engine, 'converter', handlers), {
    concurrency: Number(concurrency),
  });
}
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
