import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parseEntry } from './render-log.js';

export interface ProcessSpec {
  /** Names the process in the log; several may share it with a number (`agent-runner-2`). */
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** How many apps it runs, each of which says when it is ready; 1 by default. */
  apps?: number;
  /** It loads its code and then waits until it is told to begin (`START_WHEN_TOLD`, see libs/runtime/src/main.ts). */
  waits?: boolean;
}

/** The fields of the log line with `"event":"ready"`. */
export type ReadyEntry = Record<string, unknown>;

/** How many of a process's last lines are kept to explain its end. */
const TAIL = 12;

/** One start of one process. */
export class Child {
  /** Resolves with the fields of the last app's ready line; rejects when the process ends before. */
  readonly ready: Promise<ReadyEntry>;
  /** Resolves when the process is gone, with how it ended (`code 1`, `SIGKILL`). */
  readonly ended: Promise<string>;
  private readonly process: ChildProcess;
  private readonly tail: string[] = [];

  constructor(spec: ProcessSpec, onLine: (line: string) => void) {
    this.process = spawn(spec.command, spec.args, {
      env: { ...spec.env, ...(spec.waits ? { START_WHEN_TOLD: 'true' } : {}) },
      // The pipe to its input tells the process when this one ends (see end-with-parent.ts).
      stdio: ['pipe', 'pipe', 'pipe', ...(spec.waits ? (['ipc'] as const) : [])],
      // A group of its own: Ctrl-C reaches the parent only, which stops the processes in order.
      detached: process.platform !== 'win32',
    });
    this.ended = new Promise((resolve) => {
      this.process.once('error', (error) => resolve(error.message));
      this.process.once('exit', (code, signal) => resolve(signal ?? `code ${String(code)}`));
    });
    this.ready = new Promise((resolve, reject) => {
      let awaited = spec.apps ?? 1;
      const take = (line: string) => {
        this.tail.push(line);
        if (this.tail.length > TAIL) this.tail.shift();
        onLine(line);
        const entry = parseEntry(line);
        if (entry?.['event'] === 'ready' && --awaited === 0) resolve(entry);
      };
      const streams = [this.process.stdout, this.process.stderr].filter((stream) => stream !== null);
      const read = streams.map((stream) => readLines(stream, take));
      void Promise.all([this.ended, ...read]).then(([how]) =>
        reject(new Error(`${spec.name} ended with ${how} before it was ready:\n${this.tail.join('\n')}`)),
      );
    });
    // Nobody may be waiting any more when it ends.
    this.ready.catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Tells a process that waits to begin. */
  begin(): void {
    // Of one that has ended `ready` tells.
    if (this.process.connected) this.process.send('begin', () => undefined);
  }

  /** Asks the process to end; after `graceMs` it is killed. */
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
