import { HandClock } from '#testing/hand-clock.js';
import { until } from '#testing/until.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ProcessPool } from './process-pool.js';
import { ThreadPool } from './thread-pool.js';
import { TimeLimitError, type WorkPool } from './work-pool.js';

/** Computes for ever, fails, or returns its input. */
const WORKER = `export default (task) => {
  if (task === 'spin') for (;;);
  if (task === 'fail') throw Object.assign(new RangeError('no'), { code: 'E_NO' });
  return task;
};`;

/** Longer than needed on any machine, in ms. */
const UNLIMITED = 3_600_000;

interface OpenPool {
  work: WorkPool;
  close(): Promise<void>;
}

describe.each([
  [
    'ThreadPool',
    (worker: URL, clock: HandClock): OpenPool => {
      const pool = new ThreadPool({ threads: 1, memoryMb: 64, clock });
      const work: WorkPool = { run: (input, limitMs, signal) => pool.run(worker, input, limitMs, signal) };
      return { work, close: () => pool.close() };
    },
  ],
  [
    'ProcessPool',
    (worker: URL, clock: HandClock): OpenPool => {
      const pool = new ProcessPool({ processes: 1, perTenant: 1, memoryMb: 450, clock });
      return { work: pool.for(worker, 'a'), close: () => pool.close() };
    },
  ],
])('%s', (_, open) => {
  let folder: string;
  let pool: OpenPool;
  const clock = new HandClock(1);
  const run = (task: string, limitMs = UNLIMITED, signal?: AbortSignal) =>
    pool.work.run(task, limitMs, signal);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-work-'));
    await writeFile(join(folder, 'worker.mjs'), WORKER);
    pool = open(pathToFileURL(join(folder, 'worker.mjs')), clock);
  });
  afterAll(async () => {
    await pool.close();
    await rm(folder, { recursive: true });
  });

  it('counts the limit of a task from its start, not from when it was queued', async () => {
    const slow = run('spin', 5_000);
    const behind = run('behind', 1_000);
    await until('the slow task to start', () => !clock.isIdle);
    clock.pass(5_000);
    await expect(slow).rejects.toThrow(TimeLimitError);
    expect(await behind).toBe('behind');
  });

  it('ends an aborted task immediately, running or queued', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const running = run('spin', UNLIMITED, first.signal);
    const waiting = run('waits', UNLIMITED, second.signal);
    const last = run('last');
    second.abort(new Error('cancelled while it waited'));
    await expect(waiting).rejects.toThrow('cancelled while it waited');
    first.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    expect(await last).toBe('last');
  });

  it('throws what the worker threw', async () => {
    await expect(run('fail')).rejects.toMatchObject({ name: 'RangeError', message: 'no' });
  });
});
