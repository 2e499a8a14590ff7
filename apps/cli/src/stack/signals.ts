import { CliError } from '../cli-error.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborts at the first Ctrl-C (or SIGTERM, or when the terminal closes); later ones change nothing. */
export function abortOnSignal(say: (message: string) => void): AbortSignal {
  const controller = new AbortController();
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      say(controller.signal.aborted ? 'still stopping …' : 'stopping …');
      controller.abort();
    });
  }
  return controller.signal;
}

/**
 * Does work that the signal may abort; what fails because of it becomes one sentence.
 *
 * @throws CliError `message` when the signal is aborted
 */
export async function interruptible<T>(
  signal: AbortSignal,
  message: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    throw signal.aborted ? new CliError(message) : error;
  }
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
