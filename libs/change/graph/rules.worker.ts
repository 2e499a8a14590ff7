import type { Finding } from '#contracts/findings.js';
import { addedClaims } from '#writing/added-claims.js';
import { type Verdict, withVerdicts } from '#writing/proofs/proofs.js';
import type { ChangeInputs } from '../contract.js';

export type ChangeWork =
  | { op: 'added'; inputs: ChangeInputs; words: string }
  | { op: 'settle'; inputs: ChangeInputs; words: string; findings: Finding[]; verdicts: Verdict[] };

/** Runs in a thread, because the time that the rules take depends on the texts and passages. */
export default function applyRules(work: ChangeWork): Finding[] {
  const { inputs, words } = work;
  return work.op === 'added'
    ? addedClaims(inputs, words, inputs.instruction, inputs.passages)
    : withVerdicts(words, work.findings, work.verdicts, inputs.passages);
}
