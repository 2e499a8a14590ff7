import type { TaskName } from '#contracts/tasks.js';
import { createDatabase } from '#db/client.js';
import type { TaskHandlerOf } from '#engine/queue/task-handler.js';
import type { EngineLogger } from '#engine/engine.js';
import { taskProcessor } from '#engine/tasks/task-processor.js';
import { connectJobQueues } from '../queues.js';

/**
 * A worker of the queue `converter` as a process of its own, for tests: the task whose input is `poison` kills it, as running
 * out of memory does. Its neighbours take as long as the process lives, the first time.
 *
 * Arguments: the URLs of database and queue.
 */
const [databaseUrl, queueUrl] = process.argv.slice(2);
const db = createDatabase(databaseUrl!, 4);
const queues = await connectJobQueues(queueUrl!, { maxConnections: 4, onError: () => undefined });
const log: EngineLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Tasks that were begun while the poison was about to act, in this process. */
const never = new Promise<never>(() => undefined);
const firstTime = new Set<string>();

const handler: TaskHandlerOf<'parse_to_json'> = {
  async handle({ manuscript }, { taskId }) {
    const { unfinished } = await db.task.findFirstOrThrow({ where: { id: taskId } });
    firstTime.add(manuscript);
    if (manuscript === 'poison') {
      // In company it waits until all are there, so that it takes them along.
      while (unfinished === 1 && firstTime.size < 3) await new Promise((resolve) => setTimeout(resolve, 10));
      process.kill(process.pid, 'SIGKILL');
    }
    return unfinished === 1 ? never : { structure_json_path: `done ${manuscript}` };
  },
};
const handlers = new Map([['parse_to_json' as TaskName, handler as TaskHandlerOf<TaskName>]]);
const processor = taskProcessor({ db, queues, log, kinds: new Map() }, 'converter', handlers);
queues.work('converter', processor, { concurrency: 8 });
