import type { Finding } from '#contracts/findings.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { renderText, translate } from '../language.js';

/** Returns a finding in words, with its ID, and what its author says about it. */
export function findingText(found: Pick<Finding, 'id' | 'message' | 'phrase' | 'overruled'>): string {
  const finding = `${renderText(found.phrase, found.message)} [${found.id}]`;
  if (!found.overruled) return finding;
  const { reason } = found.overruled;
  return translate(
    reason === null
      ? phrase('out.finding_overruled', { finding })
      : phrase('out.finding_overruled.reason', { finding, reason }),
  );
}
