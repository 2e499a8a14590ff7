import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Worker } from 'node:worker_threads';

/** A module with a default export, and the input for it. */
export interface ChildTask {
  module: string;
  input: unknown;
}

export type ChildAnswer = { result: unknown } | { error: unknown };

// A blocked event loop does not notice that the parent has ended, so a thread watches the parent.
const WATCH = `setInterval(() => {
  if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL');
}, 1_000);`;
new Worker(WATCH, { eval: true }).unref();

async function run({ module, input }: ChildTask): Promise<ChildAnswer> {
  try {
    const { default: work } = (await import(module)) as { default: (input: unknown) => unknown };
    return { result: await work(input) };
  } catch (error) {
    return { error };
  }
}

process.on('message', (task: ChildTask) => {
  void run(task).then((answer) => process.send!(answer));
});
process.on('disconnect', () => {
  // The parent, which removes the folder of this process, may have ended.
  rmSync(tmpdir(), { recursive: true, force: true });
  process.exit();
});
