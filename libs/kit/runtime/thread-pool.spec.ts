import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HandClock } from '#testing/hand-clock.js';
import { until } from '#testing/until.js';
import { MessageChannel } from 'node:worker_threads';
import { ownMemory } from '#contracts/moved-bytes.js';
import { ThreadPool } from './thread-pool.js';
import { MemoryLimitError, TimeLimitError } from './work-pool.js';

/** Loops forever, fills its memory or a part of it, or answers immediately or on a message. */
const WORKER = `import { once } from 'node:events';
import { threadId } from 'node:worker_threads';
const all = [];
export const moved = (result) => (result instanceof Uint8Array ? [result] : []);
export default (task) => {
  if (task === 'thread') return threadId;
  while (task.mib > all.length) all.push(new Array(2 ** 17).fill(0.5));
  if (task === 'spin') for (;;);
  if (task === 'fill') for (const all = []; ; ) all.push(new Array(10_000).fill({}));
  if (task.port) return once(task.port, 'message').then(([message]) => (task.port.close(), message));
  return task;
};`;

/** Longer than needed on any machine, in ms. */
const UNLIMITED = 3_600_000;

describe('ThreadPool', () => {
  let folder: string;
  let worker: URL;
  let pool: ThreadPool;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-threads-'));
    await writeFile(join(folder, 'worker.mjs'), WORKER);
    worker = pathToFileURL(join(folder, 'worker.mjs'));
    pool = new ThreadPool({ threads: 1, memoryMb: 64 });
  });
  afterAll(async () => {
    await pool.close();
    await rm(folder, { recursive: true });
  });

  it('aborts a task at its time or memory limit, and serves the next', async () => {
    await expect(pool.run(worker, 'spin', 500)).rejects.toThrow(TimeLimitError);
    await expect(pool.run(worker, 'fill', UNLIMITED)).rejects.toThrow(MemoryLimitError);
    expect(await pool.run(worker, 'next', UNLIMITED)).toBe('next');
  });

  it('D13 ends a thread that a task leaves with a large heap, and keeps others', async () => {
    const large = new ThreadPool({ threads: 1, memoryMb: 512 });
    const first = await large.run(worker, 'thread', UNLIMITED);
    await large.run(worker, { mib: 16 }, UNLIMITED);
    expect(await large.run(worker, 'thread', UNLIMITED)).toBe(first);
    await large.run(worker, { mib: 160 }, UNLIMITED);
    expect(await large.run(worker, 'thread', UNLIMITED)).not.toBe(first);
    await large.close();
  });

  it('D13 moves bytes into a thread and back without a copy', async () => {
    const sent = new Uint8Array(2 ** 20).fill(7);
    const [small, large] = [Buffer.from('small'), new Uint8Array(sent)];
    expect(await pool.run(worker, sent, UNLIMITED, undefined, ownMemory([sent]))).toEqual(large);
    expect(sent).toHaveLength(0);
    // Small buffers share their memory with others.
    expect(await pool.run(worker, small, UNLIMITED, undefined, ownMemory([small]))).toEqual(
      Uint8Array.from(small),
    );
    expect(small.toString()).toBe('small');
  });

  /** A task that ends when the port is sent its result. */
  const untilTold = () => {
    const { port1, port2 } = new MessageChannel();
    return { input: { port: port2 }, transfer: [port2], end: (result: string) => port1.postMessage(result) };
  };

  it('D26 limits the CPU time of a task, and its wall-clock time only at a higher bound', async () => {
    const clock = new HandClock(0);
    const patient = new ThreadPool({ threads: 1, memoryMb: 64, stretch: 5, clock });
    const { input, transfer, end } = untilTold();
    const waiting = patient.run(worker, input, 1_000, undefined, transfer);
    await until('the task to have its turn', () => !clock.isIdle);
    clock.pass(4_900);
    end('at last');
    expect(await waiting).toBe('at last');
    for (const [share, ms] of [
      [0, 5_100],
      [1, 1_000],
    ] as const) {
      clock.share = share;
      const spinning = patient.run(worker, 'spin', 1_000);
      await until('the task to have its turn', () => !clock.isIdle);
      clock.pass(ms);
      await expect(spinning).rejects.toThrow(TimeLimitError);
    }
    await patient.close();
  });

  it('starts no thread before its first task', async () => {
    const idle = new ThreadPool({ threads: 1, memoryMb: 64 });
    expect(idle['started']).toBeUndefined();
    expect(await idle.run(worker, 'first', UNLIMITED)).toBe('first');
    await idle.close();
  });

  it('survives a thread that runs out of memory while it is being stopped', async () => {
    pool['pool'].emit('error', new Error('Worker terminated due to reaching memory limit'));
    expect(await pool.run(worker, 'still here', UNLIMITED)).toBe('still here');
  });
});
