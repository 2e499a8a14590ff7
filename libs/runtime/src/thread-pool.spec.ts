import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ThreadMemoryError, ThreadPool, ThreadTimeoutError } from './thread-pool.js';

/** Spins for ever, waits, fills its memory, or answers. */
const WORKER = `export default (task) => {
  if (task === 'spin') for (;;);
  if (task === 'fill') for (const all = []; ; ) all.push(new Array(10_000).fill({}));
  if (task === 'buffers') for (const all = []; ; ) all.push(Buffer.alloc(1_000_000, 1));
  if (task === 'rest') return new Promise((resolve) => setTimeout(resolve, 200, task));
  if (task === 'rest longer') return new Promise((resolve) => setTimeout(resolve, 2_000, task));
  if (task === 'wait for ever') return new Promise((resolve) => setTimeout(resolve, 3_600_000));
  return task;
};`;

describe('ThreadPool', () => {
  let folder: string;
  let pool: ThreadPool;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-threads-'));
    await writeFile(join(folder, 'worker.mjs'), WORKER);
    pool = new ThreadPool(pathToFileURL(join(folder, 'worker.mjs')), { threads: 1, memoryMb: 64 });
  });
  afterAll(async () => {
    await pool.close();
    await rm(folder, { recursive: true });
  });

  it('ends a task at its limit, and one that fills its memory, and serves the next', async () => {
    await expect(pool.run('spin', 500)).rejects.toThrow(ThreadTimeoutError);
    await expect(pool.run('fill', 60_000)).rejects.toThrow(ThreadMemoryError);
    expect(await pool.run('next', 60_000)).toBe('next');
  });

  it('counts the limit of a task from its turn, not from when it was asked for', async () => {
    const slow = pool.run('spin', 5_000);
    const behind = pool.run('behind', 4_900);
    await expect(slow).rejects.toThrow(ThreadTimeoutError);
    expect(await behind).toBe('behind');
  });

  it('D26 ends a task for what it computes, and not for time in which others have the cores, up to a bound', async () => {
    const options = { threads: 1, memoryMb: 64, stretch: 5 };
    const patient = new ThreadPool(pathToFileURL(join(folder, 'worker.mjs')), options);
    expect(await patient.run('first', 60_000)).toBe('first');
    expect(await patient.run('rest longer', 1_000)).toBe('rest longer');
    await expect(patient.run('wait for ever', 100)).rejects.toThrow(ThreadTimeoutError);
    await expect(patient.run('spin', 100)).rejects.toThrow(ThreadTimeoutError);
    await patient.close();
  });

  it('ends a task when the process grows too much while it runs, whatever that held before', async () => {
    const held = Buffer.alloc(300 * 1024 * 1024, 1);
    const options = { threads: 1, memoryMb: 64, growthMb: 200 };
    const small = new ThreadPool(pathToFileURL(join(folder, 'worker.mjs')), options);
    expect(await small.run('rest', 60_000)).toBe('rest');
    await expect(small.run('buffers', 60_000)).rejects.toThrow(ThreadMemoryError);
    await small.close();
    expect(held).toHaveLength(300 * 1024 * 1024);
  });

  it('starts no thread before its first task where that is asked for', async () => {
    const threads = { threads: 1, memoryMb: 64, whenNeeded: true };
    const idle = new ThreadPool(pathToFileURL(join(folder, 'worker.mjs')), threads);
    expect(idle['started']).toBeUndefined();
    expect(await idle.run('first', 60_000)).toBe('first');
    await idle.close();
  });

  it('frees its thread at once when a task is aborted, running or waiting', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const running = pool.run('spin', 3_600_000, first.signal);
    const waiting = pool.run('waits', 3_600_000, second.signal);
    const last = pool.run('last', 60_000);
    second.abort(new Error('cancelled while it waited'));
    await expect(waiting).rejects.toThrow('cancelled while it waited');
    first.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    expect(await last).toBe('last');
  });

  it('outlives a thread whose memory runs out while it is being ended: nobody waits for it any more', async () => {
    pool['pool'].emit('error', new Error('Worker terminated due to reaching memory limit'));
    expect(await pool.run('still here', 60_000)).toBe('still here');
  });
});
