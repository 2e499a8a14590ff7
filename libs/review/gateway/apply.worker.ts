import { applyProposals, type AppliedProposal } from '#office/review/review.js';

/** Accepted proposals, by position, and the manuscript that they were made in. */
export interface ApplyWork {
  manuscript: string;
  proposals: AppliedProposal[];
  accepted: boolean[];
}

/** Runs in a thread: returns the manuscript with the accepted proposals. */
export default function apply({ manuscript, proposals, accepted }: ApplyWork): string {
  return applyProposals(manuscript, proposals, (index) => accepted[index] === true);
}
