import { applyEdits } from './apply.js';
import { READ_ONLY } from '#contracts/proposals.js';
import { leavesOf } from './leaves.js';
import { readMarkedText } from './marked-text.js';
import { readSent } from './original.js';
import { readProposals, type ReadProposal } from './propose.js';
import { damagingEdits } from './shown.js';

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
  'kind' | 'after' | 'start' | 'end' | 'at' | 'text' | 'lead' | 'sent' | 'within'
>;

/**
 * Applies accepted proposals. Those after which the manuscript would not show what Word shows are refused.
 *
 * @param isAccepted says for the position of each proposal whether it is accepted
 * @param isApplied says which accepted ones were applied before, and are not refused
 * @returns the new manuscript, and the positions of the refused proposals
 */
export function applyProposals(
  manuscript: string,
  proposals: readonly AppliedProposal[],
  isAccepted: (index: number) => boolean,
  isApplied: (index: number) => boolean = () => false,
): { text: string; refused: number[] } {
  const leaves = leavesOf(manuscript);
  const dropped = new Set(
    proposals.flatMap(({ within }, index) => (within !== null && isAccepted(index) ? [within] : [])),
  );
  const refused = new Set<number>();
  for (;;) {
    const used = [...proposals.entries()].filter(
      ([index, { kind, within }]) =>
        isAccepted(index) &&
        within === null &&
        !dropped.has(index) &&
        !refused.has(index) &&
        !READ_ONLY.has(kind),
    );
    const edits = used.map(([, edit]) => edit);
    const text = applyEdits(manuscript, edits, leaves);
    const damaging = [...damagingEdits(leaves, edits, text)].map((edit) => used[edit]![0]);
    const refusable = (damaging.length > 0 ? used.map(([index]) => index) : []).filter((i) => !isApplied(i));
    const next = refusable.filter((index) => damaging.includes(index));
    for (const index of next.length > 0 ? next : refusable) refused.add(index);
    if (refusable.length === 0) return { text, refused: [...refused].sort((a, b) => a - b) };
  }
}
