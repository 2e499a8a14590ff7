import type { NewProposal } from '#db/repositories/proposals.js';
import type { ReadProposal } from '#office/review/propose.js';
import { sessionKey } from '#storage/session-keys.js';
import type { SourcePlace } from './source-places.js';

/**
 * Returns the rows of a review's proposals.
 *
 * @param of `base` is the object key of the version of the manuscript that their places refer to
 */
export function proposalRows(
  of: { tenantId: string; sessionId: string; runId: string; base: string },
  proposals: readonly (ReadProposal & Partial<SourcePlace>)[],
): NewProposal[] {
  const numbered = (index: number | null) => (index === null ? null : index + 1);
  return proposals.map(({ within, replyTo, start, end, ...proposal }, index) => ({
    ...{ ...of, number: index + 1, ...proposal, spanStart: start, spanEnd: end },
    ...{ within: numbered(within), replyTo: numbered(replyTo) },
  }));
}

/** Returns the object key of a Word file that came back. */
export const returnedKey = (tenantId: string, sessionId: string, fileId: string): string =>
  sessionKey(tenantId, sessionId, 'results', `returned-${fileId}.docx`);
