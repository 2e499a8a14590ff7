import { messageOf, phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Phrase } from '#contracts/phrases/render.js';
import type { RunError } from '#contracts/runs.js';

/** State keys that contain the error of a run. */
interface FailureState {
  error_type: string;
  last_error: string;
  error_phrase: Phrase | null;
}

/** Returns the update for an error; the keys always change together. */
export const failureState = (code: string, detail: Detail): FailureState => ({
  error_type: code,
  last_error: textOf(detail),
  error_phrase: phraseOf(detail) ?? null,
});

/** Returns the error of a run that ended; a state saved by an older release has no phrase. */
export function runErrorOf({
  error_type: code,
  last_error: message,
  error_phrase: known,
}: { [Key in keyof FailureState]?: FailureState[Key] | null | undefined }): RunError {
  const detail = known ?? message ?? phrase('run_error.run_failed');
  return { code: code ?? 'run_failed', ...messageOf(detail) };
}
