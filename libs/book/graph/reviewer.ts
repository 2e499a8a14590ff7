import type { Finding, Span } from '#contracts/findings.js';
import { calculationsSchema } from '#writing/calculations/calculations.js';
import { finding } from '#writing/findings.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { z } from 'zod';

const kinds = [
  'unsupported',
  'contradiction',
  'missing_point',
  'repetition',
  'continuity',
  'structure',
  'clarity',
  'voice',
] as const;
const score = z.number().min(0).max(100);

/** The reviewer's answer: findings by paragraph, calculations of figures that the rules did not find, then scores. */
export const reviewerAnswerSchema = z.object({
  findings: z
    .array(
      z.object({
        paragraph_id: z.string().max(60).nullish(),
        kind: z.enum(kinds),
        quote: z.string().max(2_000).default(''),
        why: z.string().min(1).max(1_000),
        fix: z.string().max(2_000).default(''),
        severity: z.enum(['severe', 'minor']),
      }),
    )
    .max(100),
  calculated: calculationsSchema,
  scores: z.object({ support: score, coverage: score, continuity: score, structure: score, style: score }),
});
export type ReviewerAnswer = z.infer<typeof reviewerAnswerSchema>;

const WEIGHTS = { support: 0.3, coverage: 0.2, continuity: 0.2, structure: 0.15, style: 0.15 } as const;
/** The highest score of a draft that states something severely wrong. */
const CAP = 60;

/** The reviewer's judgement, with the score that the program computes from it. */
export interface Judgement {
  score: number;
  should_revise: boolean;
  comments: string;
  reviewer: string;
  findings: Finding[];
}

interface Placed {
  found: ReviewerAnswer['findings'][number];
  span: Span | null;
}

/** Computes the judgement from a reviewer's answer. Drops findings with a quote that the draft does not contain. */
export function judgementOf(answer: ReviewerAnswer, draft: string, reviewer: string): Judgement {
  const paragraphs = splitParagraphs(draft);
  const byId = new Map(paragraphs.map((paragraph) => [paragraph.id, paragraph]));
  const placed = answer.findings.flatMap((found): Placed[] => {
    const paragraph = byId.get((found.paragraph_id ?? '').replace(/[<>\s]/g, ''));
    const at = found.quote === '' ? -1 : draft.indexOf(found.quote, paragraph?.start ?? 0);
    if (at >= 0) return [{ found, span: { start: at, end: at + found.quote.length } }];
    if (paragraph) return [{ found, span: { start: paragraph.start, end: paragraph.end } }];
    return found.kind === 'missing_point' || found.kind === 'structure' ? [{ found, span: null }] : [];
  });
  const severe = placed.filter(({ found }) => found.severity === 'severe');
  const isWrong = severe.some(({ found: { kind } }) => kind === 'unsupported' || kind === 'contradiction');
  const weighted = Object.entries(WEIGHTS).reduce(
    (sum, [name, weight]) => sum + answer.scores[name as keyof typeof WEIGHTS] * weight,
    0,
  );
  return {
    score: Math.round(isWrong ? Math.min(CAP, weighted) : weighted),
    should_revise: severe.length > 0,
    comments: `Findings of the reviewer: ${placed.length}, severe: ${severe.length}.`,
    reviewer,
    findings: placed.map(({ found: { kind, why, fix, severity }, span }) =>
      finding(draft, paragraphs, {
        rule: `review-${kind}`,
        severity: severity === 'severe' ? 'warning' : 'info',
        message: why,
        span,
        ...(fix === '' ? {} : { suggestion: fix }),
      }),
    ),
  };
}
