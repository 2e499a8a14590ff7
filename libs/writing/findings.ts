import { sha256 } from '#contracts/sha256.js';
import { oneLine } from '#contracts/text.js';
import { englishText, type Phrase } from '#contracts/phrases/phrase.js';
import type { Evidence, Finding, Span } from '#contracts/findings.js';
import { type Paragraph, paragraphAt } from './paragraphs.js';

interface FindingInput {
  rule: string;
  severity: Finding['severity'];
  /** A phrase, or the words of a model. */
  message: Phrase | string;
  span?: Span | null;
  /** The sentence that the finding is about; by default the words at its place. */
  sentence?: string | undefined;
  evidence?: Evidence[];
  /** An advice as a phrase, or words that replace those at the place. */
  suggestion?: Phrase | string;
}

/**
 * Creates a finding. Its ID is derived from the rule, the words at its place and the message, so that a
 * finding that a person has handled is recognized after other paragraphs change. Its subject does not depend on the
 * words of the message, which a model puts differently each time.
 *
 * @param text the checked text, to which the span refers
 */
export function finding(text: string, paragraphs: Paragraph[], input: FindingInput): Finding {
  const span = input.span ?? null;
  const words = span ? text.slice(span.start, span.end) : '';
  const message = textOf(input.message);
  return {
    id: hashOf(input.rule, words, message),
    rule: input.rule,
    severity: input.severity,
    message,
    ...(typeof input.message === 'string' ? {} : { phrase: input.message }),
    span,
    paragraph_id: span ? (paragraphAt(paragraphs, span.start)?.id ?? null) : null,
    evidence: input.evidence ?? [],
    suggestion: input.suggestion === undefined ? null : textOf(input.suggestion),
    ...(typeof input.suggestion === 'object' ? { suggestion_phrase: input.suggestion } : {}),
    subject: hashOf(pointOf(input.rule), oneLine(input.sentence ?? (span ? words : message)), claimOf(input)),
  };
}

/** Whether a claim is open or refuted depends on whether a reviewer has read it: the point is the same. */
const pointOf = (rule: string): string => rule.replace(/^citation-(?:open|unsupported)-/, 'citation-');

/** Returns the claim of the sentence that a finding is about; empty if it is about the whole sentence. */
function claimOf({ message }: FindingInput): string {
  const claim = typeof message === 'object' ? message.params.claim : undefined;
  return typeof claim === 'object' ? String(claim.params.text) : '';
}

const hashOf = (...parts: string[]): string => sha256(parts.join('\u0000')).slice(0, 12);

const textOf = (text: Phrase | string): string => (typeof text === 'string' ? text : englishText(text));

/** Sorts findings by place and removes duplicate IDs; those without a place come first. */
export function sortFindings(findings: Finding[]): Finding[] {
  const byId = new Map(findings.map((found) => [found.id, found]));
  return [...byId.values()].sort((a, b) => (a.span?.start ?? -1) - (b.span?.start ?? -1));
}
