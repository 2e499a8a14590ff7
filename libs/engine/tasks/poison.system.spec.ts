import { queueColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { until } from '#testing/until.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { reconcile } from '../recovery/reconcile.js';
import { MAX_UNFINISHED } from './task-processor.js';

/** The compiled worker, in its own process. */
const WORKER = join(import.meta.dirname, '../../../dist/libs/testing/engine/dying-worker.js');
const graph = new TinyGraph([{ kind: 'fan-out', name: 'f', items: ['a', 'b', 'poison'] }]);

describe.each(queueColumns())('X4 a task that kills its worker on $name', (column) => {
  let bed: EngineBed;
  beforeAll(async () => {
    bed = await EngineBed.open(column);
    bed.runner({ fan: graph });
  });
  afterAll(() => bed.close());

  it('fails as task_poisoned after a bounded number of deaths; other tasks complete, and a dead letter remains', async () => {
    const runId = await bed.start(await bed.tenant(), 'fan');
    await bed.until(runId, 'waiting');
    let deaths = 0;
    let worker = spawn(process.execPath, [WORKER, bed.database.url, bed.queueUrl], { stdio: 'inherit' });
    const isOver = bed.until(runId, 'completed', 'failed').then(() => true);
    try {
      while (!(await Promise.race([isOver, once(worker, 'exit').then(() => false)]))) {
        deaths += 1;
        // The jobs of the dead process are requeued immediately, not when their locks expire.
        await bed.loseJobs();
        await bed.age();
        await reconcile(bed.engine);
        worker = spawn(process.execPath, [WORKER, bed.database.url, bed.queueUrl], { stdio: 'inherit' });
      }
    } finally {
      worker.kill('SIGKILL');
    }
    expect(deaths).toBe(MAX_UNFINISHED);
    expect([...(await bed.words(runId))].sort()).toEqual([
      'f.a=done a',
      'f.b=done b',
      'f.poison!task_poisoned',
      'start',
    ]);
    const converter = bed.queues.all().find(({ name }) => name === 'converter')!;
    const letters = await until(
      'the dead letter',
      () => converter.getJobs(['failed']),
      ({ length }) => length > 0,
    );
    expect(letters.map(({ failedReason }) => failedReason)).toEqual([
      expect.stringContaining('task_poisoned'),
    ]);
  });
});
