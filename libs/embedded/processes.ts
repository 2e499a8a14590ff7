import { setTimeout as delay } from 'node:timers/promises';
import { Child, type ProcessSpec, type ReadyEntry } from './child-process.js';

export type { ProcessSpec, ReadyEntry } from './child-process.js';

interface ProcessesOptions {
  /** Receives every log line of every process unchanged; render it with `renderLogLine`. */
  onLine(name: string, line: string): void;
  /** Timeout in ms until a process writes its ready line. */
  readyTimeoutMs: number;
  /** Timeout in ms for a process to end after SIGTERM; 10 s by default. */
  stopTimeoutMs?: number;
  /** Longest delay in ms before a process that keeps crashing is restarted; 10 s by default. */
  longestPauseMs?: number;
}

export interface Processes {
  /** Fields of each process's first ready line, by name. */
  ready: Record<string, ReadyEntry>;
  /** IDs of the processes that run now, by name. */
  pids(): Record<string, number>;
  /** Stops the first process, then the others concurrently. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 10_000;
const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 10_000;
/** A process that ran this long is restarted with the shortest delay. */
const STEADY_MS = 30_000;

/** Processes that load their code; those with `waits` do nothing else until `begin`. */
interface LaunchedProcesses {
  /**
   * Starts the work of the processes that wait. Resolves when each has written a log line with
   * `"event":"ready"`.
   *
   * @throws Error with the last lines of a process that ends or does not get ready in time; the others are
   * then stopped
   */
  begin(): Promise<Processes>;
  /** Stops the first process, then the others concurrently. */
  stop(): Promise<void>;
}

/** Like `launchProcesses`, but calls `begin` immediately. */
export function startProcesses(specs: ProcessSpec[], options: ProcessesOptions): Promise<Processes> {
  return launchProcesses(specs, options).begin();
}

/**
 * Starts processes and, once they are ready, restarts any that ends. The delay doubles up to 10 s while a
 * process keeps crashing.
 */
export function launchProcesses(specs: ProcessSpec[], options: ProcessesOptions): LaunchedProcesses {
  const keepers = specs.map((spec) => new Keeper(spec, options));
  const stop = async () => {
    const [first, ...others] = keepers;
    await first?.stop();
    await Promise.all(others.map((keeper) => keeper.stop()));
  };
  const begin = async () => {
    try {
      const entries = await Promise.all(keepers.map((keeper) => keeper.begin()));
      const names = specs.map((spec) => spec.name);
      return {
        ready: Object.fromEntries(entries.map((entry, index) => [names[index], entry])),
        pids: () => Object.fromEntries(keepers.flatMap((keeper) => keeper.running())),
        stop,
      };
    } catch (error) {
      await stop();
      throw error;
    }
  };
  return { begin, stop };
}

/** Supervisor of one process. */
class Keeper {
  private child: Child;
  private readonly stopping = new AbortController();
  private readonly watching: Promise<void>;
  private started = false;

  constructor(
    private readonly spec: ProcessSpec,
    private readonly options: ProcessesOptions,
  ) {
    this.child = this.spawn();
    this.watching = this.watch();
  }

  /** Starts the work of the process and waits until it is ready. */
  async begin(): Promise<ReadyEntry> {
    this.child.begin();
    const { readyTimeoutMs } = this.options;
    const timeout = new AbortController();
    const late = delay(readyTimeoutMs, undefined, { signal: timeout.signal }).then(() => {
      throw new Error(`${this.spec.name} was not ready after ${readyTimeoutMs / 1000} s`);
    });
    try {
      const entry = await Promise.race([this.child.ready, late]);
      this.started = true;
      return entry;
    } finally {
      timeout.abort();
      late.catch(() => undefined);
    }
  }

  running(): [string, number][] {
    return this.child.pid === undefined ? [] : [[this.spec.name, this.child.pid]];
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.child.stop(this.options.stopTimeoutMs ?? STOP_TIMEOUT_MS);
    await this.watching;
  }

  private spawn(): Child {
    return new Child(this.spec, (line) => this.options.onLine(this.spec.name, line));
  }

  private async watch(): Promise<void> {
    let backoff = FIRST_BACKOFF_MS;
    for (;;) {
      const startedAt = Date.now();
      const how = await this.child.ended;
      // A process that ends before it is ready is reported as a start-up error and not restarted.
      if (this.stopping.signal.aborted || !this.started) return;
      if (Date.now() - startedAt > STEADY_MS) backoff = FIRST_BACKOFF_MS;
      this.say(`${this.spec.name} exited unexpectedly (${how}); restarting it in ${backoff} ms`);
      await delay(backoff, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      backoff = Math.min(backoff * 2, this.options.longestPauseMs ?? LONGEST_BACKOFF_MS);
      this.child = this.spawn();
      this.child.begin();
    }
  }

  private say(msg: string): void {
    this.options.onLine(
      this.spec.name,
      JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg, event: 'restart' }),
    );
  }
}
