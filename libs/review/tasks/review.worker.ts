import { messageOf, detailOf, type Message } from '#contracts/phrases/detail.js';
import { ExtractionError } from '#extraction/errors.js';
import { madeOf } from '#office/docx/write/options.js';
import { openDocx, readProperties } from '#office/docx/read/read.js';
import type { ReadProposal } from '#office/review/propose.js';
import { type DecidedChange, decidedChanges } from '#office/review/decided.js';
import { reviewDocx } from '#office/review/review.js';
import type { Ledger, LedgerSource } from '#verbatim/schema.js';
import { changeInText, type PublishedText } from '#writing/bibliography/published-texts.js';
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
      /** Chapters of a book, or an article, in the manuscript; null for a document. */
      texts: PublishedText[] | null;
    };

/** A proposal with the line of the source that it changes, and the number of the published text that it is in, from 0. */
export type PlacedProposal = ReadProposal & Partial<SourcePlace> & { textIndex?: number };

/** What a returned file proposes, and what was decided in it about proposals that were sent. */
export interface ReadReview {
  proposals: PlacedProposal[];
  decided: DecidedChange[];
}

export interface DescribedFile {
  /** SHA-256 of the manuscript; null for a file that is not ours. */
  manuscript: string | null;
  /** SHA-256 of the export options. */
  options: string | null;
  savedBy: string | null;
}

/** Reads a Word file of a tenant. Runs in a child process. */
export default function review(work: ReviewWork): DescribedFile | ReadReview | { problem: Message } {
  try {
    if (work.op === 'read')
      return { proposals: read(work), decided: decidedChanges(work.sent, work.returned) };
    const properties = readProperties(openDocx(work.returned));
    return { ...madeOf(properties), savedBy: properties['lastModifiedBy'] ?? null };
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { problem: messageOf(detailOf(error)) };
  }
}

function read(work: Extract<ReviewWork, { op: 'read' }>): PlacedProposal[] {
  const { sent, returned, manuscript, savedBy, carried, texts } = work;
  const proposals = reviewDocx(sent, returned, manuscript, savedBy);
  if (texts !== null) return proposals.map((proposal) => inText(proposal, texts));
  if (carried === null) return proposals;
  const placeOf = sourcePlaces(manuscript, carried.ledger, carried.sources);
  return proposals.map((proposal) =>
    proposal.kind === 'outside' ? proposal : { ...proposal, ...placeOf(proposal) },
  );
}

/** Places a change of a publication in the text that it changes. What is in none can be read only. */
function inText(proposal: ReadProposal, texts: readonly PublishedText[]): PlacedProposal {
  if (proposal.kind === 'outside') return proposal;
  const placed = changeInText(texts, proposal);
  if (placed) return { ...proposal, ...placed.change, textIndex: placed.text };
  return proposal.kind === 'comment'
    ? proposal
    : { ...proposal, kind: 'outside', place: 'not_in_manuscript' };
}
