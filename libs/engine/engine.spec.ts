import type { RunEvent } from '#catalogue/events.js';
import { runStatuses, type RunStatus } from '#contracts/runs.js';
import { RunRepository } from '#db/repositories/runs.js';
import { queueColumns } from '#testing/columns.js';
import { TaskFailure } from './queue/task-handler.js';
import { createLogger } from '#telemetry/logger.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { until } from '#testing/until.js';
import { cancelRun } from './runs/cancel.js';
import { completeTask } from './tasks/complete.js';
import { MAX_CRASHES } from './engine.js';
import { reconcile } from './recovery/reconcile.js';

/** A marker for a tenant's text, which messages of parsers, databases and models quote. */
const MARKER = 'dear-diary-7f3a';

const graphs = {
  hops: new TinyGraph([
    { kind: 'local', name: 'a' },
    { kind: 'remote', name: 'b' },
    { kind: 'remote', name: 'c' },
    { kind: 'local', name: 'd' },
  ]),
  fan: new TinyGraph([
    { kind: 'local', name: 'a' },
    { kind: 'fan-out', name: 'f', items: ['1', '2', '3', '4', '5'] },
  ]),
  ask: new TinyGraph([
    { kind: 'human', name: 'q' },
    { kind: 'local', name: 'z' },
  ]),
  hurried: new TinyGraph([{ kind: 'human', name: 'q', deadlineSeconds: 1 }]),
  parked: new TinyGraph([{ kind: 'remote', name: 'parked' }]),
  failing: new TinyGraph([
    { kind: 'remote', name: 'flaky' },
    { kind: 'remote', name: 'bad' },
    { kind: 'local', name: 'end' },
  ]),
  broken: new TinyGraph([
    {
      kind: 'local',
      name: 'poison',
      work: () => {
        throw new Error('this step always fails');
      },
    },
  ]),
  quoting: new TinyGraph([
    {
      kind: 'local',
      name: 'a',
      work: ({ run }) => {
        if (run.crashes > 0) return 'a';
        throw new Error(`The model answered ${MARKER}`, { cause: new Error(MARKER) });
      },
    },
    { kind: 'fan-out', name: 'f', items: ['parser', 'database', 'failure'] },
  ]),
};

describe.each(queueColumns())('X4 the engine on $name', (column) => {
  let bed: EngineBed;
  let tenant: string;
  /** Resolves when the waiting node is aborted. */
  let aborted: Promise<void>;
  let held: Promise<void>;
  let letGo: () => void;

  /** The statuses under which a client finds a run. */
  const shownIn = async (id: string) => {
    const found = async (status: RunStatus) =>
      (await new RunRepository(bed.db).page(tenant, { status }, { take: 100 })).some((run) => run.id === id);
    const isShown = await Promise.all(runStatuses.map(found));
    return runStatuses.filter((_, index) => isShown[index]);
  };
  const statusesOf = (events: RunEvent[]) =>
    events.flatMap(({ type, data }) => (type === 'run_status' ? data['status'] : []));

  beforeAll(async () => {
    bed = await EngineBed.open(column);
    tenant = await bed.tenant();
    let tellAborted: () => void;
    let tellHeld: () => void;
    aborted = new Promise((resolve) => (tellAborted = resolve));
    held = new Promise((resolve) => (tellHeld = resolve));
    const holding = new TinyGraph([
      {
        kind: 'local',
        name: 'model',
        work: ({ signal }) =>
          new Promise((_resolve, reject) => {
            tellHeld();
            signal.addEventListener('abort', () => {
              tellAborted();
              reject(signal.reason as Error);
            });
          }),
      },
    ]);
    const parked = new Promise<string>((resolve) => (letGo = () => resolve('done')));
    bed.runner({ ...graphs, holding });
    bed.workers((item, attempt) => {
      if (item === 'parked') return parked;
      if (item === 'bad') throw new Error('never works');
      if (item === 'flaky' && attempt < 2) throw new Error('works the second time');
      if (item === 'parser' && attempt < 2) return String(JSON.parse(MARKER));
      if (item === 'database' && attempt < 2) return bed.db.$queryRaw`SELECT ${MARKER}::int`.then(String);
      if (item === 'failure') throw new TaskFailure('unreadable', `Nothing reads "${MARKER}".`);
      return `done ${item}`;
    });
  });
  afterAll(() => bed.close());

  it('runs consecutive remote nodes and numbers the events without gaps', async () => {
    const id = await bed.start(tenant, 'hops');
    await bed.until(id, 'completed');
    expect(await bed.words(id)).toEqual(['start', 'a', 'b=done b', 'c=done c', 'd']);
    const events = await bed.events(id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)!.type).toBe('done');
    expect([...new Set(statusesOf(events))]).toEqual(['queued', 'running', 'completed']);
  });

  it('lists a run that waits for a worker as running', async () => {
    const id = await bed.start(tenant, 'parked');
    await bed.until(id, 'waiting');
    expect(await shownIn(id)).toEqual(['running']);
    letGo();
    await bed.until(id, 'completed');
    expect(await shownIn(id)).toEqual(['completed']);
  });

  it('resumes several interrupts of a step, each with its own result', async () => {
    const id = await bed.start(tenant, 'fan');
    await bed.until(id, 'completed');
    expect(await bed.words(id)).toEqual([
      'start',
      'a',
      ...[1, 2, 3, 4, 5].map((item) => `f.${item}=done ${item}`),
    ]);
    expect(await bed.tasks(id)).toHaveLength(5);
  });

  it('X3 accepts the first of many answers to a question and continues', async () => {
    const id = await bed.start(tenant, 'ask');
    await bed.until(id, 'waiting');
    expect(await shownIn(id)).toEqual(['needs_answer']);
    const [task] = await bed.tasks(id);
    const answer = { ok: true as const, output: { text: 'yes' } };
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        completeTask(bed.engine, task!.id, id, { ok: true, output: { text: `yes ${index}` } }, 'person'),
      ),
    );
    expect(all.filter(Boolean)).toHaveLength(1);
    await bed.until(id, 'completed');
    const statuses = statusesOf(await bed.events(id)).join(' ');
    expect(statuses).toBe('queued running needs_answer running completed');
    const winner = all.indexOf(true);
    expect(await bed.words(id)).toEqual(['start', `q=yes ${winner}`, 'z']);
    expect(await completeTask(bed.engine, task!.id, id, answer, 'person')).toBe(false);
    expect(await bed.words(id)).toEqual(['start', `q=yes ${winner}`, 'z']);
  });

  it('X3 applies the default at the deadline', async () => {
    const id = await bed.start(tenant, 'hurried');
    await bed.until(id, 'completed');
    expect(await bed.words(id)).toEqual(['start', 'q=default']);
    const [task] = await bed.tasks(id);
    expect(task).toMatchObject({ status: 'completed', completedBy: 'deadline' });
  });

  it('X3 applies a deadline even if its delayed job was lost', async () => {
    const id = await bed.start(tenant, 'ask');
    await bed.until(id, 'waiting');
    await bed.loseJobs();
    await bed.db.$executeRaw`UPDATE tasks SET deadline = now() - interval '3 seconds' WHERE run_id = ${id}`;
    await bed.age();
    await reconcile(bed.engine);
    await bed.age();
    await reconcile(bed.engine);
    await bed.until(id, 'completed');
    expect(await bed.words(id)).toEqual(['start', 'q=default', 'z']);
  });

  it('continues after the queue lost every job', async () => {
    const parked = await bed.start(tenant, 'ask');
    await bed.until(parked, 'waiting');
    await bed.loseJobs();
    const lost = await bed.start(tenant, 'hops');
    await bed.loseJobs();
    // A job that a runner adds while they are lost is looked for by the next reconciliation.
    await until(
      'the run whose jobs were lost is completed',
      async () => {
        const { status } = await bed.run(lost);
        if (status === 'completed') return status;
        // One that is being stepped through is not taken over.
        if (status !== 'running') await bed.age();
        await reconcile(bed.engine);
        return status;
      },
      (status) => status === 'completed',
    );
    const { task } = await until(
      'the question has a delayed job again',
      async () => {
        const [asked] = await bed.tasks(parked);
        const state = await bed.queues.state('human-input', `${asked!.id}.${asked!.enqueues}`);
        if (state === 'delayed') return { state, task: asked! };
        // A run whose job was lost after a runner received it completes without reconciliation.
        await bed.age();
        await reconcile(bed.engine);
        return { state, task: asked! };
      },
      ({ state }) => state === 'delayed',
    );
    await completeTask(bed.engine, task.id, parked, { ok: true, output: { text: 'late' } }, 'person');
    await bed.until(parked, 'completed');
    expect(await bed.words(parked)).toEqual(['start', 'q=late', 'z']);
  });

  it('X3 rejects an answer and a second cancel after a cancel', async () => {
    const id = await bed.start(tenant, 'ask');
    await bed.until(id, 'waiting');
    const [task] = await bed.tasks(id);
    expect(await cancelRun(bed.engine, id)).toBe(true);
    expect(await completeTask(bed.engine, task!.id, id, { ok: true, output: { text: 'x' } }, 'person')).toBe(
      false,
    );
    expect(await cancelRun(bed.engine, id)).toBe(false);
    expect((await bed.tasks(id))[0]!.status).toBe('cancelled');
    expect((await bed.events(id)).filter(({ type }) => type === 'done')).toHaveLength(1);
  });

  it('B26 aborts the running node of a cancelled run', async () => {
    const id = await bed.start(tenant, 'holding');
    await held;
    await cancelRun(bed.engine, id);
    await aborted;
    expect((await bed.run(id)).status).toBe('cancelled');
  });

  it('fails a run whose step always fails, with the number of attempts', async () => {
    const id = await bed.start(tenant, 'broken');
    const run = await until(
      'the poisoned run has failed',
      async () => {
        await bed.age();
        await reconcile(bed.engine);
        return bed.run(id);
      },
      ({ status }) => status === 'failed',
    );
    expect(run.error).toMatchObject({ code: 'step_failed' });
    expect((run.error as { message: string }).message).toContain(`${MAX_CRASHES} times`);
  });

  it('retries a failed task, and passes a permanent failure to the graph', async () => {
    const id = await bed.start(tenant, 'failing');
    await bed.until(id, 'completed', 'failed');
    expect(await bed.words(id)).toEqual(['start', 'flaky=done flaky', 'bad!task_failed', 'end']);
  });

  it('logs the codes and stacks of errors without the text that they quote', async () => {
    const lines: string[] = [];
    const log = bed.engine.log;
    bed.engine.log = createLogger('spec', {
      level: 'info',
      destination: { write: (line) => lines.push(line) },
    });
    const id = await bed.start(tenant, 'quoting');
    const run = await until(
      'the run is completed',
      async () => {
        const row = await bed.run(id);
        if (row.status === 'running') await reconcile(bed.engine);
        return row;
      },
      ({ status }) => status === 'completed',
    );
    bed.engine.log = log;
    expect(JSON.stringify(run.summary)).toContain('f.failure!unreadable');
    const errors = lines.flatMap((line) => (JSON.parse(line) as { err?: object }).err ?? []);
    expect(errors).toEqual(
      expect.arrayContaining([
        { type: 'Error', stack: expect.stringContaining('engine.spec'), cause: { type: 'Error' } },
        expect.objectContaining({ type: 'SyntaxError', stack: expect.stringMatching(/^ {4}at /) }),
        expect.objectContaining({
          code: 'P2010',
          cause: { type: 'DriverAdapterError', cause: { type: 'Object', code: '22P02' } },
        }),
        expect.objectContaining({ type: 'TaskFailure', code: 'unreadable' }),
      ]),
    );
    expect(lines.join('')).not.toContain(MARKER);
  });
});
