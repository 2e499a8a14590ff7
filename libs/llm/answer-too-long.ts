import { phrase } from '#contracts/phrases/phrase.js';
import { ModelError } from './model-error.js';

/** Not retryable: another attempt would most likely be as long. */
export const answerTooLong = (): ModelError =>
  new ModelError('model_answer_too_long', phrase('model_failure.model_answer_too_long'), false);
