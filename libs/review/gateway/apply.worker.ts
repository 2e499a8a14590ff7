import { applyProposals, type AppliedProposal } from '#office/review/review.js';

/** Proposals, and the manuscript that they were made in. The flags belong to the proposal at their position. */
export interface ApplyWork {
  manuscript: string;
  proposals: AppliedProposal[];
  accepted: boolean[];
  /** Which were applied when the review was finished before. */
  applied: boolean[];
}

export interface ApplyResult {
  /** The manuscript with the proposals that were applied before. */
  previous: string;
  text: string;
  /** Positions of accepted proposals that cannot be applied. */
  refused: number[];
}

/** Runs in a process of `runApart`: returns the manuscript with the accepted proposals. */
export default function apply({ manuscript, proposals, accepted, applied }: ApplyWork): ApplyResult {
  const isApplied = (index: number) => applied[index] === true;
  const previous = applyProposals(manuscript, proposals, isApplied, isApplied).text;
  const isAccepted = (index: number) => accepted[index] === true;
  return { previous, ...applyProposals(manuscript, proposals, isAccepted, isApplied) };
}
