import { messageOf, detailOf, type Message } from '#contracts/phrases/detail.js';
import { ExtractionError } from '#extraction/errors.js';
import { MANUSCRIPT_PROPERTY } from '#office/docx/write/options.js';
import { openDocx, readProperties } from '#office/docx/read/read.js';
import type { ReadProposal } from '#office/review/propose.js';
import { reviewDocx } from '#office/review/review.js';
import type { Ledger, LedgerSource } from '#verbatim/schema.js';
import { sourcePlaces, type SourcePlace } from '../store/source-places.js';

/** Work of a child process: what a file says about its manuscript, or its changes. */
export type ReviewWork =
  | { op: 'describe'; returned: Uint8Array }
  | {
      op: 'read';
      sent: Uint8Array;
      returned: Uint8Array;
      manuscript: string;
      savedBy: string | null;
      /** Ledger of the manuscript with the texts of its sources; null if there is none. */
      carried: { ledger: Ledger; sources: LedgerSource[] } | null;
    };

export type PlacedProposal = ReadProposal & Partial<SourcePlace>;

export interface DescribedFile {
  /** SHA-256 of the manuscript; null for a file that is not ours. */
  manuscript: string | null;
  /** SHA-256 of the export options. */
  options: string | null;
  savedBy: string | null;
}

/** Reads a Word file of a tenant. Runs in a child process. */
export default function review(work: ReviewWork): DescribedFile | PlacedProposal[] | { problem: Message } {
  try {
    if (work.op === 'read') return read(work);
    const properties = readProperties(openDocx(work.returned));
    const [, manuscript = null, options = null] =
      /^([0-9a-f]{64}) ([0-9a-f]{64})$/.exec(properties[MANUSCRIPT_PROPERTY] ?? '') ?? [];
    return { manuscript, options, savedBy: properties['lastModifiedBy'] ?? null };
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { problem: messageOf(detailOf(error)) };
  }
}

function read(work: Extract<ReviewWork, { op: 'read' }>): PlacedProposal[] {
  const { sent, returned, manuscript, savedBy, carried } = work;
  const proposals = reviewDocx(sent, returned, manuscript, savedBy);
  if (carried === null) return proposals;
  const placeOf = sourcePlaces(manuscript, carried.ledger, carried.sources);
  return proposals.map((proposal) =>
    proposal.kind === 'outside' ? proposal : { ...proposal, ...placeOf(proposal) },
  );
}
