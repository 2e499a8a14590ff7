import type { TaskName } from '#catalogue/tasks.js';
import type { HandlerMap, TaskContext, TaskHandlerOf } from '../queue/task-handler.js';
import { queueColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { cancelRun } from '../runs/cancel.js';
import { taskProcessor } from '../tasks/task-processor.js';

describe.each(queueColumns())('a worker in the middle of a task on $name', (column) => {
  let bed: EngineBed;

  beforeAll(async () => {
    bed = await EngineBed.open(column);
    bed.runner({ one: new TinyGraph([{ kind: 'remote', name: 'long' }]) });
  });
  afterAll(() => bed.close());

  it('X4 that stops releases its task after the grace period, which does not count as an attempt', async () => {
    let tellBegun: (signal: AbortSignal) => void;
    const begun = new Promise<AbortSignal>((resolve) => (tellBegun = resolve));
    const stopping = worker(
      // Never ends, even when aborted, like a parser in native code.
      ({ signal }) => new Promise(() => tellBegun(signal)),
    );
    const id = await bed.start(await bed.tenant(), 'one');
    const signal = await begun;
    await stopping.close();
    expect((signal.reason as Error).name).toBe('JobReleasedError');
    expect(await bed.tasks(id)).toMatchObject([{ status: 'pending', attempts: 0 }]);

    const next = worker(async () => ({ structure_json_path: 'done' }));
    await bed.until(id, 'completed');
    expect(await bed.tasks(id)).toMatchObject([{ status: 'completed', attempts: 1, enqueues: 1 }]);
    await next.close();
  });

  it('B26 aborts the task of a cancelled run and processes the next one', async () => {
    let tellBegun: (signal: AbortSignal) => void;
    const begun = new Promise<AbortSignal>((resolve) => (tellBegun = resolve));
    let calls = 0;
    const busy = worker(({ signal }) => {
      calls += 1;
      return calls > 1
        ? Promise.resolve({ structure_json_path: 'done' })
        : new Promise(() => tellBegun(signal));
    }, 20);
    const tenant = await bed.tenant();
    const cancelled = await bed.start(tenant, 'one');
    const signal = await begun;
    expect(await cancelRun(bed.engine, cancelled)).toBe(true);
    await bed.until(await bed.start(tenant, 'one'), 'completed');
    expect((signal.reason as Error).name).toBe('TaskOverError');
    expect(calls).toBe(2);
    await busy.close();
  });

  function worker(
    work: (context: TaskContext) => Promise<{ structure_json_path: string }>,
    renewalMs?: number,
  ) {
    const handler: TaskHandlerOf<'parse_to_json'> = { handle: (_, context) => work(context) };
    const handlers: HandlerMap = new Map([['parse_to_json' as TaskName, handler as TaskHandlerOf<TaskName>]]);
    const processor = taskProcessor(bed.engine, 'converter', handlers, undefined, renewalMs);
    return bed.queues.work('converter', processor, { concurrency: 1, graceMs: 50 });
  }
});
