import { CliError } from '../cli-error.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What may end a command before its work is done. */
export interface Ending {
  /** Aborted at the first Ctrl-C (or SIGTERM, or when the terminal closes), or when the work cannot go on. */
  signal: AbortSignal;
  /** Ends the command because of what is wrong. */
  fail(error: Error): void;
}

/** Ends at the first signal or failure; later signals change nothing. */
export function endOnSignal(say: (message: string) => void): Ending {
  const controller = new AbortController();
  for (const name of SIGNALS) {
    process.on(name, () => {
      say(controller.signal.aborted ? 'still stopping …' : 'stopping …');
      controller.abort();
    });
  }
  const fail = (error: Error) => {
    if (controller.signal.aborted) return;
    say(error.message);
    controller.abort(new CliError(error.message));
  };
  return { signal: controller.signal, fail };
}

/** The failure that a signal was aborted for; undefined when a person did it. */
export const failureOf = (signal: AbortSignal): CliError | undefined =>
  signal.reason instanceof CliError ? signal.reason : undefined;

/**
 * Does work that the signal may abort; what fails because of it becomes one sentence.
 *
 * @param remains what is kept, and how to go on
 * @throws CliError why it ended, and `remains`, when the signal is aborted: at once, whatever the work waits for
 */
export async function interruptible<T>(
  signal: AbortSignal,
  remains: string,
  work: () => Promise<T>,
): Promise<T> {
  const ended = aborted(signal).then(() => {
    throw new CliError(`${failureOf(signal)?.message ?? 'Interrupted.'} ${remains}`);
  });
  if (signal.aborted) return ended;
  const done = work().catch((error: unknown) => (signal.aborted ? ended : Promise.reject(error as Error)));
  return Promise.race([ended, done]);
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
