import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildAnswer, ChildTask } from './child-process.worker.js';
import { BUSY_STRETCH, computingLimit, PROCESS_CLOCK, type ComputingClock } from './computing-limit.js';
import { KeyedSemaphore } from '#engine/tasks/locks.js';
import { compiledModule } from './compiled-module.js';
import { MemoryLimitError, ProcessKilledError, TimeLimitError, type WorkPool } from './work-pool.js';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';

const MIB = 1024 * 1024;
/** Interval between two checks of a process's memory. */
const POLL_INTERVAL_MS = 50;
/** An idle process ends after this time. */
const IDLE_MS = 30_000;
/** A process that uses more than this after a task ends, so that the next task has the whole limit. */
const MAX_IDLE_MIB = 300;
const CHILD = new URL('./child-process.worker.js', import.meta.url);

interface ProcessPoolOptions {
  /** Maximum number of processes; excess tasks queue. */
  processes: number;
  /** Maximum number of processes of one tenant. A lower number leaves processes for the other tenants. */
  perTenant: number;
  /** Resident memory limit of one process in MiB, including buffers and code. */
  memoryMb: number;
  /** Replaces the clock in tests. */
  clock?: ComputingClock;
}

/**
 * Runs parsers of tenants' bytes in child processes, because a parser that exhausts its stack or memory can
 * end its whole process. Processes start on demand and do not inherit the environment, which contains
 * secrets. They have a lower CPU priority than the services.
 */
export class ProcessPool {
  private readonly ofTenants: KeyedSemaphore;
  private readonly ofAll: KeyedSemaphore;
  private readonly idle = new Map<ChildProcess, NodeJS.Timeout>();
  private readonly working = new Set<ChildProcess>();

  constructor(private readonly options: ProcessPoolOptions) {
    this.ofTenants = new KeyedSemaphore(options.perTenant);
    this.ofAll = new KeyedSemaphore(options.processes);
  }

  /**
   * Returns a pool for one worker module and tenant; all of them share the processes. A task may last
   * `BUSY_STRETCH` times its limit while other processes use the CPU.
   *
   * @param worker URL of a compiled module whose default export takes and returns values that structured
   *   cloning copies
   */
  for(worker: URL, tenantId: string): WorkPool {
    return {
      run: <T>(input: unknown, limitMs: number, signal?: AbortSignal) =>
        this.ofTenants.within(tenantId, signal, () =>
          this.ofAll.within('', signal, () => this.runNow<T>(worker, input, limitMs, signal)),
        ),
    };
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    const idle = [...this.idle.keys()];
    for (const timer of this.idle.values()) clearTimeout(timer);
    this.idle.clear();
    await Promise.all([...idle, ...this.working].map(end));
  }

  private async runNow<T>(
    worker: URL,
    input: unknown,
    limitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const child = this.takeChild();
    this.working.add(child);
    try {
      const task = { module: compiledModule(worker).href, input };
      return (await this.call(child, task, limitMs, signal)) as T;
    } finally {
      this.working.delete(child);
      this.returnChild(child);
    }
  }

  private takeChild(): ChildProcess {
    for (const [child, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(child);
      if (!isAlive(child)) continue;
      child.ref();
      child.channel?.ref();
      return child;
    }
    // For the temporary files of a process, also of one that is killed.
    const folder = mkdtempSync(join(tmpdir(), 'scriptorium-process-'));
    const child = fork(fileURLToPath(compiledModule(CHILD)), {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${this.options.memoryMb}`],
      env: { TMPDIR: folder, TEMP: folder },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('close', () => rmSync(folder, { recursive: true, force: true }));
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    // `call` handles the end of a process. An unhandled `error` event would end this one.
    child.on('error', () => undefined);
    return child;
  }

  private returnChild(child: ChildProcess): void {
    if (!isAlive(child)) return;
    const residentBytes = usageOf(child.pid!)?.residentBytes ?? 0;
    if (residentBytes > MAX_IDLE_MIB * MIB) return void end(child);
    const timer = setTimeout(() => {
      this.idle.delete(child);
      void end(child);
    }, IDLE_MS);
    // An idle process, which ends with this one, does not prevent its exit.
    timer.unref();
    child.unref();
    child.channel?.unref();
    this.idle.set(child, timer);
  }

  private async call(
    child: ChildProcess,
    task: ChildTask,
    limitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const { memoryMb } = this.options;
    let reason: unknown = null;
    const killBecause = (why: unknown) => {
      reason = why;
      child.kill('SIGKILL');
    };
    const limit = computingLimit(limitMs, BUSY_STRETCH, this.options.clock ?? clockOf(child));
    const onLate = () => killBecause(new TimeLimitError(`not done within ${limitMs / 1_000} s`));
    const onAbort = () => killBecause(signal!.reason);
    limit.signal.addEventListener('abort', onLate, { once: true });
    signal?.addEventListener('abort', onAbort, { once: true });
    const polling = setInterval(() => {
      if ((usageOf(child.pid!)?.residentBytes ?? 0) > memoryMb * MIB)
        killBecause(new MemoryLimitError(`more than ${memoryMb} MB needed`));
    }, POLL_INTERVAL_MS);
    const over = new AbortController();
    try {
      const ended = once(child, 'exit', over).then(([, killedBy]) => {
        throw reason ?? endedBy(killedBy as NodeJS.Signals | null, memoryMb);
      });
      const answered = once(child, 'message', over) as Promise<[ChildAnswer]>;
      child.send(task, (error) => error && child.kill('SIGKILL'));
      const [answer] = await Promise.race([answered, ended]);
      // The answer may arrive after the process was killed: the reason for that counts.
      if (child.killed) await ended;
      if ('error' in answer) throw answer.error;
      return answer.result;
    } finally {
      over.abort();
      limit.stop();
      clearInterval(polling);
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

/** Returns why a process ended that was not killed here: it exhausted its heap or its stack, unless another one killed it. */
function endedBy(signal: NodeJS.Signals | null, memoryMb: number): Error {
  return signal === 'SIGKILL' || signal === 'SIGTERM'
    ? new ProcessKilledError(`the process was ended by ${signal}`)
    : new MemoryLimitError(`more than ${memoryMb} MB, or a deeper stack, needed`);
}

const hasExited = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;
const isAlive = (child: ChildProcess): boolean => !child.killed && !hasExited(child);

/** Kills a process and waits for its end. */
async function end(child: ChildProcess): Promise<void> {
  if (hasExited(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** A clock that counts the CPU time of a child process. */
const clockOf = ({ pid }: ChildProcess): ComputingClock => ({
  ...PROCESS_CLOCK,
  computed: () => usageOf(pid!)?.cpuMs ?? 0,
});

/** Linux reports CPU times of processes in units of 10 ms on every machine. */
const TICK_MS = 10;

/** Resources that a process uses. */
interface ProcessUsage {
  /** CPU time since its start. */
  cpuMs: number;
  residentBytes: number;
}

/** Reads the usage of a process on this machine; null if it has ended, and on systems without /proc. */
export function usageOf(pid: number): ProcessUsage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field of proc_pid_stat(5) is the name in parentheses, which may contain blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user, system] = [fields[11], fields[12]].map(Number);
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return { cpuMs: (user! + system!) * TICK_MS, residentBytes: Number(resident?.[1] ?? 0) * 1_024 };
  } catch {
    return null;
  }
}
