import type { TaskName } from '#catalogue/tasks.js';
import { createDatabase } from '#db/client.js';
import type { TaskHandlerOf } from '#engine/queue/task-handler.js';
import type { EngineLogger } from '#engine/engine.js';
import { taskProcessor } from '#engine/tasks/task-processor.js';
import { connectJobQueues } from '../queues.js';

/**
 * A separate worker process of the queue `converter`, for tests. The task with the input `poison` kills it, like running out
 * of memory. On their first attempt, other tasks run until the process dies.
 *
 * Arguments: the URLs of database and queue.
 */
const [databaseUrl, queueUrl] = process.argv.slice(2);
const db = createDatabase(databaseUrl!, 4);
const queues = await connectJobQueues(queueUrl!, { maxConnections: 4, onError: () => undefined });
const log: EngineLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Result of a task's first attempt: it never finishes, so that the poison interrupts it. */
const never = new Promise<never>(() => undefined);
const firstTime = new Set<string>();

const handler: TaskHandlerOf<'parse_to_json'> = {
  async handle({ manuscript }, { taskId }) {
    const { unfinished } = await db.task.findFirstOrThrow({ where: { id: taskId } });
    firstTime.add(manuscript);
    if (manuscript === 'poison') {
      // Wait for the other tasks on the first attempt, so that the crash interrupts them too.
      while (unfinished === 1 && firstTime.size < 3) await new Promise((resolve) => setTimeout(resolve, 10));
      process.kill(process.pid, 'SIGKILL');
    }
    return unfinished === 1 ? never : { structure_json_path: `done ${manuscript}` };
  },
};
const handlers = new Map([['parse_to_json' as TaskName, handler as TaskHandlerOf<TaskName>]]);
const processor = taskProcessor({ db, queues, log, kinds: new Map() }, 'converter', handlers);
queues.work('converter', processor, { concurrency: 8 });
