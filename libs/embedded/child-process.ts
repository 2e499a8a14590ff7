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
export class Child {
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
