import { CliError, explain } from '../cli-error.js';
import { followCommand, type Place } from '../stack/data-dir.js';

/** Returns the hint for the case that the results of a run could not be fetched or written. */
export const continueHint = (runId: string, place: Place): string =>
  `The run is saved: continue it with "${followCommand(runId, place)}".`;

/** Runs `fetch`; adds a recovery hint to its error. @throws CliError */
export async function withRecoveryHint<T>(remains: string, fetch: () => Promise<T>): Promise<T> {
  return fetch().catch((error: unknown) => {
    throw new CliError(`${explain(error)} ${remains}`);
  });
}
