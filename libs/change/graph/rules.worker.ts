import type { Finding } from '#contracts/findings.js';
import { rulesInThread } from '#kit/graph/rules-by-name.js';
import { addedClaims } from '#writing/added-claims.js';
import { type Verdict, withVerdicts } from '#writing/proofs/proofs.js';
import type { ChangeInputs } from '../contract.js';

/** Rules that check changes. */
const rules = {
  /** Returns a finding for each claim that the replacement adds without a source, or that its source does not state. */
  added: (inputs: ChangeInputs, words: string): Finding[] =>
    addedClaims(inputs, words, inputs.instruction, inputs.passages),
  /** Settles the disputed findings by the verdicts of a reviewer (X15). */
  settle: (inputs: ChangeInputs, words: string, findings: Finding[], verdicts: Verdict[]): Finding[] =>
    withVerdicts(words, findings, verdicts, inputs.passages),
};
export type Rules = typeof rules;

export default rulesInThread(rules);
