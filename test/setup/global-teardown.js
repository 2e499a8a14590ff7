/** Stops the servers of global-setup.js, each by its own process, and removes their data. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';

export default async function globalTeardown() {
  const stack = globalThis.__scriptoriumTestStack;
  if (!stack) return;
  await stack.shared?.stop();
  await Promise.all([...stack.children.map(stopChild), stack.postgres?.stop()]);
  await rm(stack.dir, { recursive: true, force: true });
}

async function stopChild(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
