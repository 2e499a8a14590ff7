import type { Finding } from '#contracts/findings.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { RunFailure } from '#engine/kind.js';
import { ThreadLimitError, type InThread } from '#kit/graph/ports.js';
import type { ChangeInputs } from '../contract.js';
import type { Verdict } from '#writing/proofs/proofs.js';
import type { ChangeWork } from './rules.worker.js';

const WORKER = new URL('./rules.worker.js', import.meta.url);

/** Rules that check changes, in a thread with limits. */
export class ChangeRules {
  constructor(
    private readonly inThread: InThread,
    private readonly signal?: AbortSignal,
  ) {}

  /** Returns a finding for each claim that the replacement adds without a source, or that its source does not state. */
  addedClaims(inputs: ChangeInputs, words: string): Promise<Finding[]> {
    return this.apply({ op: 'added', inputs, words });
  }

  /** Settles the disputed findings by the verdicts of a reviewer (X15). */
  settle(inputs: ChangeInputs, words: string, findings: Finding[], verdicts: Verdict[]): Promise<Finding[]> {
    return this.apply({ op: 'settle', inputs, words, findings, verdicts });
  }

  /** @throws RunFailure `text_too_hard` beyond the limits */
  private async apply(work: ChangeWork): Promise<Finding[]> {
    try {
      return await this.inThread<Finding[]>(WORKER, work, this.signal);
    } catch (error) {
      if (!(error instanceof ThreadLimitError)) throw error;
      throw new RunFailure('text_too_hard', phrase('run_error.text_too_hard.change'));
    }
  }
}
