import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ChildAnswer, ChildTask } from './child-process.worker.js';
import { compiledModule } from './compiled-module.js';
import { BUSY_STRETCH, computingLimit, type ComputingClock } from './computing-limit.js';
import { usageOf } from './process-usage.js';
import { Turns } from './turns.js';
import { MemoryLimitError, TimeLimitError, type WorkPool } from './work-pool.js';

const MIB = 1024 * 1024;
/** How often the memory of a process is looked at. */
const LOOK_MS = 50;
/** A process that nobody needed for so long ends. */
const IDLE_MS = 30_000;
/** A process that keeps more than this after a task ends, so that the next one has its memory for itself. */
const KEPT_MIB = 300;
const CHILD = new URL('./child-process.worker.js', import.meta.url);

export interface ProcessPoolOptions {
  /** At most this many at once; more tasks wait for their turn. */
  processes: number;
  /** What one process may hold, in MiB, buffers and code included. */
  memoryMb: number;
  /** Replaces the clock in tests. */
  clock?: ComputingClock;
}

/**
 * Processes for parsing what tenants send. A parser that runs out of stack or memory can end its process, whatever thread it is in: these may
 * end. They start with the first task, and know none of the secrets in this process's environment.
 */
export class ProcessPool {
  private readonly turns: Turns;
  private readonly idle = new Map<ChildProcess, NodeJS.Timeout>();
  private readonly working = new Set<ChildProcess>();

  constructor(private readonly options: ProcessPoolOptions) {
    this.turns = new Turns(options.processes);
  }

  /**
   * Work of one kind. A task may last `BUSY_STRETCH` times its limit while other processes have the cores.
   *
   * @param worker URL of a compiled module with a default export, which takes and gives what structured cloning copies
   */
  for(worker: URL): WorkPool {
    return {
      run: async <T>(input: unknown, limitMs: number, signal?: AbortSignal): Promise<T> => {
        await this.turns.take(signal);
        const child = this.takeChild();
        this.working.add(child);
        try {
          const task = { module: compiledModule(worker).href, input };
          return (await this.call(child, task, limitMs, signal)) as T;
        } finally {
          this.working.delete(child);
          this.keep(child);
          this.turns.give();
        }
      },
      close: () => this.close(),
    };
  }

  async close(): Promise<void> {
    const kept = [...this.idle.keys()];
    for (const timer of this.idle.values()) clearTimeout(timer);
    this.idle.clear();
    await Promise.all([...kept, ...this.working].map(end));
  }

  private takeChild(): ChildProcess {
    for (const [child, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(child);
      if (isAlive(child)) return child;
    }
    const child = fork(fileURLToPath(compiledModule(CHILD)), {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${this.options.memoryMb}`],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // Whoever has a task for it hears of its end; unheard, an error would end this process.
    child.on('error', () => undefined);
    return child;
  }

  /** Keeps a process for the next task, for a while. */
  private keep(child: ChildProcess): void {
    if (!isAlive(child)) return;
    const kept = usageOf(child.pid!)?.residentBytes ?? 0;
    if (kept > KEPT_MIB * MIB) return void end(child);
    const timer = setTimeout(() => {
      this.idle.delete(child);
      void end(child);
    }, IDLE_MS);
    this.idle.set(child, timer);
  }

  private async call(
    child: ChildProcess,
    task: ChildTask,
    limitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const { memoryMb } = this.options;
    // A process that ends by itself has overflowed: its heap, its stack, or the machine's memory.
    let reason: unknown = new MemoryLimitError(`more than ${memoryMb} MB, or a deeper stack, needed`);
    const endFor = (why: unknown) => {
      reason = why;
      child.kill('SIGKILL');
    };
    const limit = computingLimit(limitMs, BUSY_STRETCH, this.options.clock ?? clockOf(child));
    const isLate = () => endFor(new TimeLimitError(`not done within ${limitMs / 1_000} s`));
    const isCancelled = () => endFor(signal!.reason);
    limit.signal.addEventListener('abort', isLate, { once: true });
    signal?.addEventListener('abort', isCancelled, { once: true });
    const looking = setInterval(() => {
      if ((usageOf(child.pid!)?.residentBytes ?? 0) > memoryMb * MIB)
        endFor(new MemoryLimitError(`more than ${memoryMb} MB needed`));
    }, LOOK_MS);
    const over = new AbortController();
    try {
      const ended = once(child, 'exit', over).then(() => Promise.reject(reason as Error));
      const answered = once(child, 'message', over) as Promise<[ChildAnswer]>;
      child.send(task, (error) => error && child.kill('SIGKILL'));
      const [answer] = await Promise.race([answered, ended]);
      // The answer came in the moment in which the process was ended.
      if (child.killed) await ended;
      if ('error' in answer) throw answer.error;
      return answer.result;
    } finally {
      over.abort();
      limit.stop();
      clearInterval(looking);
      signal?.removeEventListener('abort', isCancelled);
    }
  }
}

const isAlive = (child: ChildProcess): boolean =>
  !child.killed && child.exitCode === null && child.signalCode === null;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** The time, and the CPU time of a process. */
const clockOf = ({ pid }: ChildProcess): ComputingClock => ({
  now: () => performance.now(),
  computed: () => usageOf(pid!)?.cpuMs ?? 0,
  after: (ms, look) => {
    const timer = setTimeout(look, ms);
    return () => clearTimeout(timer);
  },
});
