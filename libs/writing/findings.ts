import { englishText, type Phrase } from '#contracts/phrases/phrase.js';
import { createHash } from 'node:crypto';
import type { Evidence, Finding, Span } from '#contracts/findings.js';
import { type Paragraph, paragraphAt } from './paragraphs.js';

interface FindingInput {
  rule: string;
  severity: Finding['severity'];
  /** A phrase, or the words of a model. */
  message: Phrase | string;
  span?: Span | null;
  evidence?: Evidence[];
  /** An advice as a phrase, or words that replace those at the place. */
  suggestion?: Phrase | string;
}

/**
 * Creates a finding. Its ID is derived from the rule, the words at its place and the message, so that a
 * finding that a person has handled is recognized after other paragraphs change.
 *
 * @param text the checked text, to which the span refers
 */
export function finding(text: string, paragraphs: Paragraph[], input: FindingInput): Finding {
  const span = input.span ?? null;
  const words = span ? text.slice(span.start, span.end) : '';
  const message = textOf(input.message);
  const seed = [input.rule, words, message].join('\u0000');
  return {
    id: createHash('sha256').update(seed).digest('hex').slice(0, 12),
    rule: input.rule,
    severity: input.severity,
    message,
    ...(typeof input.message === 'string' ? {} : { phrase: input.message }),
    span,
    paragraph_id: span ? (paragraphAt(paragraphs, span.start)?.id ?? null) : null,
    evidence: input.evidence ?? [],
    suggestion: input.suggestion === undefined ? null : textOf(input.suggestion),
    ...(typeof input.suggestion === 'object' ? { suggestion_phrase: input.suggestion } : {}),
  };
}

const textOf = (text: Phrase | string): string => (typeof text === 'string' ? text : englishText(text));

/** Sorts findings by place and removes duplicate IDs; those without a place come first. */
export function sortFindings(findings: Finding[]): Finding[] {
  const byId = new Map(findings.map((found) => [found.id, found]));
  return [...byId.values()].sort((a, b) => (a.span?.start ?? -1) - (b.span?.start ?? -1));
}
