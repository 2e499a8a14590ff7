import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { CliError, explain } from '../cli-error.js';
import { followCommand, type Place } from '../stack/data-dir.js';

/** Returns the hint for the case that the results of a run could not be fetched or written. */
export const continueHint = (runId: string, place: Place): Phrase =>
  phrase('cli_error.run_saved', { command: followCommand(runId, place) });

/** Runs `fetch`; adds a recovery hint to its error. @throws CliError */
export async function withRecoveryHint<T>(remains: Phrase, fetch: () => Promise<T>): Promise<T> {
  return fetch().catch((error: unknown) => {
    throw new CliError(phrase('cli_error.with_hint', { problem: explain(error), hint: remains }));
  });
}
