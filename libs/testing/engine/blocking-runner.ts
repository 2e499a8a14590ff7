import { createDatabase } from '#db/client.js';
import type { EngineLogger } from '#engine/engine.js';
import { RunProcessor } from '#engine/runs/advance.js';
import { watchForBlocking } from '#kit/runner/block-watch.js';
import { knownKinds } from '../known-kinds.js';
import { connectJobQueues } from '../queues.js';
import { TinyGraph } from './tiny-graph.js';

/**
 * A separate agent-runner, for tests. Runs of kind `blocking` compute until their process ends, those of kind `killing`
 * kill it, and those of kind `calm` wait a while. Prints the name of each node that it begins.
 *
 * Arguments: the URLs of database and queue, and the seconds after which the event loop counts as blocked.
 */
const [databaseUrl, queueUrl, blockedSeconds] = process.argv.slice(2);
const db = createDatabase(databaseUrl!, 4);
const queues = await connectJobQueues(queueUrl!, { maxConnections: 4, onError: () => undefined });
const log: EngineLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

const local = (name: string, work: () => Promise<string> | string) =>
  new TinyGraph([
    {
      kind: 'local',
      name,
      async work() {
        process.stdout.write(`${name}\n`);
        return work();
      },
    },
  ]);
const graphs = {
  blocking: local('blocking', () => String(/^(a+)+$/.test(`${'a'.repeat(60)}!`))),
  killing: local('killing', () => String(process.kill(process.pid, 'SIGKILL'))),
  calm: local('calm', () => new Promise((resolve) => setTimeout(() => resolve('calm'), 500))),
};

watchForBlocking(databaseUrl!, Number(blockedSeconds));
const runs = new RunProcessor({ db, queues, log, kinds: knownKinds }, new Map(Object.entries(graphs)), 0);
queues.work('agent-runner', runs, { concurrency: 8 });
