import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CLOCK_SHIFTS_MS } from '../clock-shifts.js';

const PROGRAM = fileURLToPath(new URL('./engine-process.js', import.meta.url));
/** Delay in ms before an ended process is replaced. */
const RESTART_MS = 100;

const shiftOf = (index: number) => String(CLOCK_SHIFTS_MS[index % CLOCK_SHIFTS_MS.length]);

/** Keeps this many processes of each role running, whatever ends them. */
export class Keeper {
  private readonly running = new Map<string, ChildProcess>();
  private readonly loops: Promise<void>[] = [];
  private isStopping = false;

  constructor(counts: Record<string, number>, databaseUrl: string, queueUrl: string) {
    for (const [role, count] of Object.entries(counts)) {
      for (let index = 1; index <= count; index++)
        this.loops.push(this.keep(`${role}-${index}`, [role, databaseUrl, queueUrl, shiftOf(index)]));
    }
  }

  names(): string[] {
    return [...this.running.keys()];
  }

  /** @returns false if there is currently no such process */
  signal(name: string, signal: NodeJS.Signals): boolean {
    return this.running.get(name)?.kill(signal) ?? false;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    for (const child of this.running.values()) child.kill('SIGKILL');
    await Promise.all(this.loops);
  }

  private async keep(name: string, args: string[]): Promise<void> {
    while (!this.isStopping) {
      const child = fork(PROGRAM, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      this.running.set(name, child);
      await once(child, 'exit');
      this.running.delete(name);
      if (!this.isStopping) await delay(RESTART_MS);
    }
  }
}
