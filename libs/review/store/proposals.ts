import type { NewProposal } from '#db/repositories/proposals.js';
import { sessionKey } from '#storage/session-keys.js';
import type { PlacedProposal } from '../tasks/review.worker.js';

/** What the proposals of a review are about. */
interface Reviewed {
  tenantId: string;
  sessionId: string;
  runId: string;
  /** Object key of the version of the manuscript that their places refer to, unless they are in one of `texts`. */
  base: string;
  /** Run that exported the file; null for a document. */
  exportedBy: string | null;
  /** Versions of published texts, by their number. */
  texts: ReadonlyMap<number, { base: string; chapterId: string | null }>;
}

/** Returns the rows of a review's proposals. */
export function proposalRows(
  { texts, ...of }: Reviewed,
  proposals: readonly PlacedProposal[],
): NewProposal[] {
  const numbered = (index: number | null) => (index === null ? null : index + 1);
  return proposals.map(({ within, replyTo, start, end, textIndex = -1, ...proposal }, index) => ({
    ...{ ...of, number: index + 1, ...proposal, spanStart: start, spanEnd: end },
    ...{ within: numbered(within), replyTo: numbered(replyTo) },
    ...texts.get(textIndex),
  }));
}

/** Returns the object key of a Word file that came back. */
export const returnedKey = (tenantId: string, sessionId: string, fileId: string): string =>
  sessionKey(tenantId, sessionId, 'results', `returned-${fileId}.docx`);
