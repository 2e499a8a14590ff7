import { setTimeout as delay } from 'node:timers/promises';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parseEntry } from './render-log.js';

export interface ProcessSpec {
  /** Name of the process in the log, such as `agent-runner-2`. */
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Number of apps in the process, each of which logs its own ready line; 1 by default. */
  apps?: number;
  /** Whether the process waits for `begin` after loading (`WAIT_FOR_START_MESSAGE`, libs/kit/runtime/main.ts). */
  waits?: boolean;
}

/** The fields of the log line with `"event":"ready"`. */
export type ReadyEntry = Record<string, unknown>;

/** Number of last log lines stored to explain the end of a process. */
const TAIL = 12;

/** One start of one process. */
class Child {
  /** Resolves with the fields of all apps' ready lines; rejects if the process ends before. */
  readonly ready: Promise<ReadyEntry>;
  /** Resolves when the process has ended, with the exit code or signal (`code 1`, `SIGKILL`). */
  readonly ended: Promise<string>;
  private readonly process: ChildProcess;
  private readonly tail: string[] = [];

  constructor(spec: ProcessSpec, onLine: (line: string) => void) {
    this.process = spawn(spec.command, spec.args, {
      env: { ...spec.env, ...(spec.waits ? { WAIT_FOR_START_MESSAGE: 'true' } : {}) },
      // When the parent ends, this pipe closes and the process stops (see end-with-parent.ts).
      stdio: ['pipe', 'pipe', 'pipe', ...(spec.waits ? (['ipc'] as const) : [])],
      // A separate process group: Ctrl-C reaches only the parent, which stops the processes in order.
      detached: process.platform !== 'win32',
    });
    this.ended = new Promise((resolve) => {
      this.process.once('error', (error) => resolve(error.message));
      this.process.once('exit', (code, signal) => resolve(signal ?? `code ${String(code)}`));
    });
    this.ready = new Promise((resolve, reject) => {
      let awaited = spec.apps ?? 1;
      const fields: ReadyEntry = {};
      const take = (line: string) => {
        this.tail.push(line);
        if (this.tail.length > TAIL) this.tail.shift();
        onLine(line);
        const entry = parseEntry(line);
        if (entry?.['event'] !== 'ready') return;
        Object.assign(fields, entry);
        if (--awaited === 0) resolve(fields);
      };
      const streams = [this.process.stdout, this.process.stderr].filter((stream) => stream !== null);
      const read = streams.map((stream) => readLines(stream, take));
      void Promise.all([this.ended, ...read]).then(([how]) =>
        reject(new Error(`${spec.name} stopped before it was ready (${how}):\n${this.tail.join('\n')}`)),
      );
    });
    // If the process ends when no caller awaits `ready`, the rejection would be unhandled.
    this.ready.catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Sends `begin` to a process that waits for it. */
  begin(): void {
    // If the process has ended, `ready` reports it.
    if (this.process.connected) this.process.send('begin', () => undefined);
  }

  /** Sends SIGTERM, then SIGKILL after `graceMs`; resolves when the process has ended. */
  async stop(graceMs: number): Promise<void> {
    this.process.kill('SIGTERM');
    const timer = setTimeout(() => this.process.kill('SIGKILL'), graceMs);
    await this.ended;
    clearTimeout(timer);
  }
}

function readLines(stream: Readable, take: (line: string) => void): Promise<void> {
  const lines = createInterface({ input: stream, crlfDelay: Infinity });
  lines.on('line', take);
  return new Promise((resolve) => lines.once('close', resolve));
}

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
