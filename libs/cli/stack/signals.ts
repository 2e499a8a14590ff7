import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { CliError } from '../cli-error.js';
import { translate } from '../language.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ways to end a command before its work is done. */
interface Ending {
  /** Aborted at the first Ctrl-C (or SIGTERM, or if the terminal closes), or if the work cannot continue. */
  signal: AbortSignal;
  /** Shows an error and ends the command with it. */
  fail(error: Error): void;
}

/** Ends the command at the first signal or failure; later ones change nothing. */
export function endOnSignal(say: (message: string) => void): Ending {
  const controller = new AbortController();
  for (const name of SIGNALS) {
    process.on(name, () => {
      say(translate(phrase(controller.signal.aborted ? 'cli.still_stopping' : 'cli.stopping')));
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

/** Returns the error that aborted a signal; undefined if a person did. */
export const failureOf = (signal: AbortSignal): CliError | undefined =>
  signal.reason instanceof CliError ? signal.reason : undefined;

/**
 * Runs work that the signal may abort.
 *
 * @param remains says what remains, and how to continue
 * @throws CliError with the reason and `remains` immediately when the signal is aborted; errors of `work`
 */
export async function interruptible<T>(
  signal: AbortSignal,
  remains: Phrase,
  work: () => Promise<T>,
): Promise<T> {
  const ended = aborted(signal).then(() => {
    const problem = failureOf(signal)?.message ?? phrase('cli_error.interrupted');
    throw new CliError(phrase('cli_error.with_hint', { problem, hint: remains }));
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
