import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 20;

/** Looks again until the condition holds; jest's own limit ends the test. What then still looks does not keep the process alive. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await delay(PAUSE_MS, undefined, { ref: false });
}
