import { setTimeout as delay } from 'node:timers/promises';
import { Child, type ProcessSpec, type ReadyEntry } from './child-process.js';

export type { ProcessSpec, ReadyEntry } from './child-process.js';

export interface ProcessesOptions {
  /** Takes every line of every process as it was written; render it with `renderLogLine`. */
  onLine(name: string, line: string): void;
  /** How long each process may take until its ready line. */
  readyTimeoutMs: number;
  /** How long a process may take to end after SIGTERM; 10 s by default. */
  stopTimeoutMs?: number;
  /** The longest pause before a process that keeps dying is started again; 10 s by default. */
  longestPauseMs?: number;
}

export interface Processes {
  /** The fields of each process's first ready line, by name. */
  ready: Record<string, ReadyEntry>;
  /** The ids of the processes that run now, by name. */
  pids(): Record<string, number>;
  /** Ends the first process, then the others together. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 10_000;
const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 10_000;
/** A process that ran this long is started again at once when it dies. */
const STEADY_MS = 30_000;

/** Processes that load their code; those that wait do nothing else before they are told. */
export interface LaunchedProcesses {
  /**
   * Tells those that wait to begin. Resolves when each has written a log line with `"event":"ready"`.
   *
   * @throws Error with the process's last lines when one ends or stays silent instead; the others are stopped then
   */
  begin(): Promise<Processes>;
  /** Ends the first process, then the others together. */
  stop(): Promise<void>;
}

/** As `launchProcesses`, and lets them begin at once. */
export function startProcesses(specs: ProcessSpec[], options: ProcessesOptions): Promise<Processes> {
  return launchProcesses(specs, options).begin();
}

/**
 * Starts processes and, once they began, keeps them running: one that dies is started again, after a pause that doubles up to 10 s
 * while it keeps dying.
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

/** Keeps one process running. */
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

  /** Lets the process begin and waits until it is ready. */
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
      // One that never became ready is an error of the start, which is reported and not tried again.
      if (this.stopping.signal.aborted || !this.started) return;
      if (Date.now() - startedAt > STEADY_MS) backoff = FIRST_BACKOFF_MS;
      this.say(`${this.spec.name} ended unexpectedly (${how}); it is started again in ${backoff} ms`);
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
