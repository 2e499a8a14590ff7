import type { Finding, Span } from '#contracts/findings.js';
import { z } from 'zod';
import { finding } from '../findings.js';
import { createQuoteFinder } from '../quotes.js';
import { splitParagraphs } from '../paragraphs.js';
import { sentencesIn, type SpannedSentence } from '../sentences.js';

/** A reviewer's own finding of one of the given kinds. */
export const reviewerFindingSchema = <Kinds extends readonly [string, ...string[]]>(kinds: Kinds) =>
  z.object({
    paragraph_id: z.string().max(60).nullish(),
    kind: z.enum(kinds),
    quote: z.string().max(2_000).default(''),
    why: z.string().min(1).max(1_000),
    fix: z.string().max(2_000).default(''),
    severity: z.enum(['severe', 'minor']),
  });
export type ReviewerFinding = z.infer<ReturnType<typeof reviewerFindingSchema>>;

/** Kinds of findings that need no words of the text: something is missing. */
const WITHOUT_PLACE = ['missing_point', 'structure'];

/** Returns a reviewer's findings at their places. Drops those whose quote and paragraph the text does not contain. */
export function placedFindings(
  text: string,
  answers: ReviewerFinding[],
): { answer: ReviewerFinding; finding: Finding }[] {
  const paragraphs = splitParagraphs(text);
  const find = createQuoteFinder(text);
  const sentences = sentencesIn(text, paragraphs);
  const byId = new Map(paragraphs.map((paragraph) => [paragraph.id, paragraph]));
  return answers.flatMap((answer) => {
    const { paragraph_id: id, kind, quote, why, fix, severity } = answer;
    const paragraph = byId.get((id ?? '').replace(/[<>\s]/g, ''));
    const place = paragraph && { start: paragraph.start, end: paragraph.end };
    const span: Span | null = find(quote, paragraph?.start) ?? place ?? null;
    if (span === null && !WITHOUT_PLACE.includes(kind)) return [];
    const placed = finding(text, paragraphs, {
      rule: `review-${kind}`,
      severity: severity === 'severe' ? 'warning' : 'info',
      message: why,
      span,
      sentence: span ? sentenceAround(sentences, span) : undefined,
      ...(fix === '' ? {} : { suggestion: fix }),
    });
    return [{ answer, finding: placed }];
  });
}

/** Returns the sentences that a place is in; undefined outside of prose. */
function sentenceAround(sentences: SpannedSentence[], { start, end }: Span): string | undefined {
  const around = sentences.filter((sentence) => sentence.start < end && sentence.end > start);
  return around.length === 0 ? undefined : around.map(({ text }) => text).join(' ');
}
