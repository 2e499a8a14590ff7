import type { Finding } from '#contracts/findings.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { RunFailure } from '#engine/kind.js';
import { ThreadLimitError, type InThread } from '#kit/graph/ports.js';
import type { ChangeInputs } from '../contract.js';
import type { AddedClaimsWork } from './rules.worker.js';

const WORKER = new URL('./rules.worker.js', import.meta.url);

/** Rules that check changes, in a thread with limits. */
export class ChangeRules {
  constructor(
    private readonly inThread: InThread,
    private readonly signal?: AbortSignal,
  ) {}

  /** Returns an error for each claim that the replacement adds without a source. @throws RunFailure `text_too_hard` */
  async addedClaims(inputs: ChangeInputs, words: string): Promise<Finding[]> {
    const work: AddedClaimsWork = { inputs, words };
    try {
      return await this.inThread<Finding[]>(WORKER, work, this.signal);
    } catch (error) {
      if (!(error instanceof ThreadLimitError)) throw error;
      throw new RunFailure('text_too_hard', phrase('run_error.text_too_hard.change'));
    }
  }
}
