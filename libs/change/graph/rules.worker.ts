import type { Finding } from '#contracts/findings.js';
import { addedClaims } from '#writing/added-claims.js';
import type { ChangeInputs } from '../contract.js';

export interface AddedClaimsWork {
  inputs: ChangeInputs;
  words: string;
}

/** Finds the claims that a replacement adds. Runs in a thread, because the time depends on the texts and passages. */
export default function findAddedClaims({ inputs, words }: AddedClaimsWork): Finding[] {
  return addedClaims(inputs, words, inputs.instruction, inputs.passages);
}
