import { phrase } from '#contracts/phrases/phrase.js';
import { ThreadLimitError, type InThread } from '#kit/graph/ports.js';
import { ModelError } from '#llm/model-error.js';
import type { Conversation } from './conversation.js';
import type { ScribeStep } from './offline-scribe.js';
import type { WriterStep } from './writer-step.js';

const WORKER = new URL('./step.worker.js', import.meta.url);

/**
 * Runs the offline writer's steps in a thread. If a source's step takes too long, the source is carried
 * verbatim, unparsed; if even that takes too long, the step fails with `source_too_hard`.
 */
export function stepInThread(inThread: InThread): ScribeStep {
  return async (conversation, signal) => {
    for (const isTooHard of [false, true]) {
      try {
        const input: Conversation = { ...conversation, isTooHard };
        return await inThread<WriterStep>(WORKER, input, signal);
      } catch (error) {
        if (!(error instanceof ThreadLimitError)) throw error;
      }
    }
    const name = conversation.note?.file;
    const detail =
      name === undefined
        ? phrase('run_error.source_too_hard.some')
        : phrase('run_error.source_too_hard.source', { name });
    throw new ModelError('source_too_hard', detail, false);
  };
}
