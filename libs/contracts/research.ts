import { z } from 'zod';
import { spanSchema } from './findings.js';

/** A question of the research, as clients receive it. */
export const researchQuestionSchema = z
  .object({
    id: z.string(),
    perspective: z.string().describe('perspective that asks the question, such as "sceptic" or "editor"'),
    question: z.string(),
    status: z.enum(['open', 'answered']),
    labels: z
      .array(z.string())
      .describe('passages that answer the question, or that were found for it while it is open'),
    queries: z.array(z.string()).describe('searches for the question'),
  })
  .meta({ id: 'ResearchQuestion' });
export type ResearchQuestion = z.infer<typeof researchQuestionSchema>;

/** Passages that contradict each other, in their own words. */
export const sourceConflictSchema = z
  .object({
    about: z.string(),
    sides: z
      .array(
        z.object({
          label: z.string(),
          quote: z.string(),
          span: spanSchema.describe('position of the words in the source'),
        }),
      )
      .min(2),
  })
  .meta({ id: 'SourceConflict' });
export type SourceConflict = z.infer<typeof sourceConflictSchema>;

/**
 * Reasons why research ended: every question is answered, no further search was proposed, the rounds, searches,
 * passages or the budget were used up, or rules did the research, which ask no questions.
 */
export const researchEnds = [
  'answered',
  'no_more_queries',
  'rounds',
  'searches',
  'passages',
  'budget',
  'rules',
] as const;
export type ResearchEnd = (typeof researchEnds)[number];
