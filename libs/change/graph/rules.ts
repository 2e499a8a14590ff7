import type { Finding } from '#contracts/findings.js';
import { ThreadRules } from '#kit/graph/thread-rules.js';
import type { ChangeInputs } from '../contract.js';
import type { Verdict } from '#writing/proofs/proofs.js';
import type { ChangeWork } from './rules.worker.js';

/** Rules that check changes, in a thread with limits. */
export class ChangeRules extends ThreadRules<ChangeWork> {
  protected readonly worker = new URL('./rules.worker.js', import.meta.url);
  protected readonly subject = 'change';

  /** Returns a finding for each claim that the replacement adds without a source, or that its source does not state. */
  addedClaims(inputs: ChangeInputs, words: string): Promise<Finding[]> {
    return this.apply({ op: 'added', inputs, words });
  }

  /** Settles the disputed findings by the verdicts of a reviewer (X15). */
  settle(inputs: ChangeInputs, words: string, findings: Finding[], verdicts: Verdict[]): Promise<Finding[]> {
    return this.apply({ op: 'settle', inputs, words, findings, verdicts });
  }
}
