import { until } from '#testing/until.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ProcessPool } from './process-pool.js';
import { usageOf } from './process-pool.js';
import { MemoryLimitError, ProcessKilledError } from './work-pool.js';

/** Ends its process, computes for ever, fills its memory, describes its process, or returns its input. */
const WORKER = `export default (task) => {
  if (task === 'abort') process.abort();
  if (task === 'kill') { process.kill(process.pid, 'SIGKILL'); for (;;); }
  if (task === 'spin') for (;;);
  if (task === 'fill') for (const all = []; ; ) all.push(new Array(10_000).fill({}));
  if (task === 'buffers') for (const all = []; ; ) all.push(Buffer.alloc(1_000_000, 1));
  if (task === 'keep') globalThis.kept = Buffer.alloc(350 * 1024 * 1024, 1);
  if (task === 'who') return { pid: process.pid, env: { ...process.env } };
  return task;
};`;

/** A worker whose process computes for ever; prints the id of that process. */
const PARENT = `const [pool, worker] = process.argv.slice(1);
const { ProcessPool } = await import(pool);
const work = new ProcessPool({ processes: 1, perTenant: 1, memoryMb: 450 }).for(new URL(worker), 'a');
const { pid } = await work.run('who', 3_600_000);
void work.run('spin', 3_600_000);
console.log(pid);`;

/** Longer than needed on any machine, in ms. */
const UNLIMITED = 3_600_000;

interface Who {
  pid: number;
  env: Record<string, string>;
}

describe('ProcessPool', () => {
  let folder: string;
  let worker: URL;
  const processes = new ProcessPool({ processes: 1, perTenant: 1, memoryMb: 450 });
  const run = <T = unknown>(task: unknown) => processes.for(worker, 'a').run<T>(task, UNLIMITED);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-processes-'));
    await writeFile(join(folder, 'worker.mjs'), WORKER);
    worker = pathToFileURL(join(folder, 'worker.mjs'));
  });
  afterAll(async () => {
    await processes.close();
    await rm(folder, { recursive: true });
  });

  it('API4 aborts only the task that overflows its stack, heap or buffers, and serves the next', async () => {
    for (const task of ['abort', 'fill', 'buffers'])
      await expect(run(task)).rejects.toThrow(MemoryLimitError);
    expect(await run(new Uint8Array([1, 2]))).toEqual(new Uint8Array([1, 2]));
  });

  it('API4 says that a process was killed by another one, which is no memory limit', async () => {
    await expect(run('kill')).rejects.toThrow(ProcessKilledError);
    expect(await run('next')).toBe('next');
  });

  it('API8 passes no settings to its processes, and reuses them for the next task', async () => {
    const { pid, env } = await run<Who>('who');
    expect(Object.keys(env)).toEqual(['TMPDIR', 'TEMP']);
    expect((await run<Who>('who')).pid).toBe(pid);
  });

  it('removes the temporary files of a process, also of one that is killed', async () => {
    const { env } = await run<Who>('who');
    const temporary = env['TMPDIR']!;
    await writeFile(join(temporary, 'table.parquet'), 'PAR1');
    await expect(run('kill')).rejects.toThrow(ProcessKilledError);
    await until('the folder to be gone', () => !existsSync(temporary));
  });

  it('replaces a process whose task retained memory', async () => {
    const { pid } = await run<Who>('who');
    await run('keep');
    expect((await run<Who>('who')).pid).not.toBe(pid);
  });

  it('API4 reserves a process for other tenants, however much one tenant computes', async () => {
    const pool = new ProcessPool({ processes: 2, perTenant: 1, memoryMb: 450 });
    const stop = new AbortController();
    const spinning = ['first', 'second'].map(() =>
      pool
        .for(worker, 'flood')
        .run('spin', UNLIMITED, stop.signal)
        .catch((error: unknown) => error),
    );
    expect(await pool.for(worker, 'neighbour').run('served', UNLIMITED)).toBe('served');
    stop.abort();
    await Promise.all(spinning);
    await pool.close();
  });

  it('X4 leaves no process behind when the worker is killed during a task', async () => {
    const pool = new URL('../../../dist/libs/kit/runtime/process-pool.js', import.meta.url).href;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT, pool, worker.href]);
    const [pid] = (await once(parent.stdout, 'data')).map(Number) as [number];
    expect(usageOf(pid)).not.toBeNull();
    parent.kill('SIGKILL');
    await until('the process to be gone', () => usageOf(pid) === null);
  });

  it('leaves no process behind when it is closed, or when the system kills an idle process', async () => {
    const { pid } = await run<Who>('who');
    process.kill(pid, 'SIGKILL');
    await until('the process to be gone', () => usageOf(pid) === null);
    const { pid: next } = await run<Who>('who');
    await processes.close();
    expect(usageOf(next)).toBeNull();
  });
});
