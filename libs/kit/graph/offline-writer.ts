import { OFFLINE_WRITER_LABEL } from '#contracts/model-facts.js';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { type HeldRun, type RunEvents, RunFailure } from '#engine/kind.js';
import { type RunnerServices, ThreadLimitError, type InThread } from './ports.js';
import { phrase } from '#contracts/phrases/phrase.js';

/** Rules of a graph that run in a thread with limits. */
export abstract class ThreadRules<Work> {
  protected abstract readonly worker: URL;
  /** What the rules check. */
  protected abstract readonly subject: 'article' | 'chapter' | 'change';

  constructor(
    private readonly inThread: InThread,
    private readonly signal?: AbortSignal,
  ) {}

  /** @throws RunFailure `text_too_hard` beyond the limits */
  protected async apply<T>(work: Work): Promise<T> {
    try {
      return await this.inThread<T>(this.worker, work, this.signal);
    } catch (error) {
      if (!(error instanceof ThreadLimitError)) throw error;
      throw new RunFailure('text_too_hard', phrase(`run_error.text_too_hard.${this.subject}`));
    }
  }
}

export { OFFLINE_WRITER_LABEL };

/**
 * Creates the ports that writing graphs need: the model, or a label for the rules that their nodes apply without one;
 * events and settings.
 */
export async function writerPorts(
  services: RunnerServices,
  run: HeldRun,
  events: RunEvents,
  promptVersion: string,
  { label = OFFLINE_WRITER_LABEL, withoutModel: isChosen = false } = {},
) {
  // The model of the offline writer is never called.
  const offline = { label, model: new FakeListChatModel({ responses: [''] }), isChosen };
  const model = await services.model(run, events, offline, promptVersion);
  return {
    model,
    offline: model.label === label,
    emit: events.emit.bind(events),
    settings: { decisionDeadlineSeconds: services.settings.decisionDeadlineSeconds },
  };
}
