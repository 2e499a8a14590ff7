import { type Processes, type ProcessSpec, startProcesses } from '#embedded/processes.js';

/** Parts of a script: reports readiness, runs forever, logs the request to end. */
export const READY = `console.log(JSON.stringify({ event: 'ready', url: 'http://' + process.env.NAME }));`;
export const STAY = `setInterval(() => {}, 1000);`;
export const SAY_END = `process.on('SIGTERM', () => { console.log('bye'); process.exit(0); });`;

/** Returns the specification of a Node process that runs a script. */
export const node = (name: string, script: string): ProcessSpec => ({
  name,
  command: process.execPath,
  args: ['-e', script],
  env: { ...process.env, NAME: name },
});

/** Starts processes for a spec and collects their output. */
export class ProcessLog {
  readonly lines: string[] = [];
  processes: Processes | undefined;
  private readonly waiting = new Set<() => void>();

  readonly options = {
    onLine: (name: string, line: string): void => {
      this.lines.push(`${name}: ${line}`);
      this.waiting.forEach((check) => check());
    },
    // Longer than any machine needs.
    readyTimeoutMs: 120_000,
  };

  start = async (...specs: ProcessSpec[]): Promise<Processes> =>
    (this.processes = await startProcesses(specs, this.options));

  /** Resolves once a line matches. */
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

  /** Stops the processes and forgets their output. */
  async clear(): Promise<void> {
    await this.processes?.stop();
    this.processes = undefined;
    this.lines.length = 0;
    this.waiting.clear();
  }
}
