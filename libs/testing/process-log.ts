import { type Processes, type ProcessSpec, startProcesses } from '#embedded/processes.js';

/** Parts of a script: says that it is ready, goes on for ever, says that it was asked to end. */
export const READY = `console.log(JSON.stringify({ event: 'ready', url: 'http://' + process.env.NAME }));`;
export const STAY = `setInterval(() => {}, 1000);`;
export const SAY_END = `process.on('SIGTERM', () => { console.log('bye'); process.exit(0); });`;

/** A process of Node that runs a script. */
export const node = (name: string, script: string): ProcessSpec => ({
  name,
  command: process.execPath,
  args: ['-e', script],
  env: { ...process.env, NAME: name },
});

/** Starts processes for a spec and collects what they write. */
export class ProcessLog {
  readonly lines: string[] = [];
  processes: Processes | undefined;
  private readonly waiting = new Set<() => void>();

  readonly options = {
    onLine: (name: string, line: string): void => {
      this.lines.push(`${name}: ${line}`);
      this.waiting.forEach((check) => check());
    },
    // Longer than any machine takes.
    readyTimeoutMs: 120_000,
  };

  start = async (...specs: ProcessSpec[]): Promise<Processes> =>
    (this.processes = await startProcesses(specs, this.options));

  /** Resolves when there is a line that matches. */
  seen = (pattern: RegExp): Promise<void> =>
    new Promise((resolve) => {
      const check = () => {
        if (!this.lines.some((line) => pattern.test(line))) return;
        this.waiting.delete(check);
        resolve();
      };
      this.waiting.add(check);
      check();
    });

  /** Stops the processes and forgets what they wrote. */
  async clear(): Promise<void> {
    await this.processes?.stop();
    this.processes = undefined;
    this.lines.length = 0;
    this.waiting.clear();
  }
}
