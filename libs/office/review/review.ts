import { applyEdits } from './apply.js';
import { readMarkedText } from './marked-text.js';
import { readSent } from './original.js';
import { readProposals, type ReadProposal } from './propose.js';

/**
 * Reads what people changed in a Word file of ours (X9).
 *
 * @param sent the file as it was sent
 * @param returned the file that came back
 * @param manuscript Markdown of the sent file
 * @param savedBy who saved the returned file last; null if unknown
 * @throws ExtractionError for a damaged or oversized file
 */
export function reviewDocx(
  sent: Uint8Array,
  returned: Uint8Array,
  manuscript: string,
  savedBy: string | null = null,
): ReadProposal[] {
  return readProposals(readSent(sent, manuscript), readMarkedText(returned), savedBy);
}

/** What an accepted proposal changes. */
export type AppliedProposal = Pick<
  ReadProposal,
  'kind' | 'start' | 'end' | 'at' | 'text' | 'lead' | 'sent' | 'within'
>;

/** Kinds that do not change the manuscript. */
const READ_ONLY: readonly string[] = ['comment', 'outside', 'format'];

/** Returns the manuscript with the accepted proposals; `isAccepted` says for each whether it is. */
export function applyProposals(
  manuscript: string,
  proposals: readonly AppliedProposal[],
  isAccepted: (index: number) => boolean,
): string {
  const dropped = new Set(
    proposals.flatMap(({ within }, index) => (within !== null && isAccepted(index) ? [within] : [])),
  );
  const edits = proposals.filter(
    ({ kind, within }, index) =>
      isAccepted(index) && within === null && !dropped.has(index) && !READ_ONLY.includes(kind),
  );
  return applyEdits(manuscript, edits);
}
