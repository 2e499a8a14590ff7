import { phrase } from '#contracts/phrases/phrase.js';
import { RunFailure } from '#engine/kind.js';
import { ThreadLimitError, type InThread } from './ports.js';

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
