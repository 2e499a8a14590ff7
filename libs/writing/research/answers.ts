import { z } from 'zod';

const query = z.string().trim().min(1).max(200);
const queries = z.array(query).max(4).default([]);

const proposedSchema = z.object({
  perspective: z.string().trim().min(1).max(60).describe('who asks, in one or two words'),
  question: z.string().trim().min(1).max(300),
  queries: queries.describe('words that a source would use'),
});
export type ProposedQuestion = z.infer<typeof proposedSchema>;

/** The model's answer to a request for questions. */
export const questionsAnswerSchema = z.object({ questions: z.array(proposedSchema).min(1).max(20) });

const id = z.string().max(10);
const label = z.string().max(20);

/** The model's comparison of questions and passages. */
export const assessmentSchema = z.object({
  answered: z
    .array(z.object({ id, passages: z.array(label).max(30) }))
    .max(40)
    .default([]),
  open: z
    .array(z.object({ id, queries }))
    .max(40)
    .default([])
    .describe('the other questions, with new searches'),
  new: z.array(proposedSchema).max(10).default([]).describe('questions that the passages raise'),
  conflicts: z
    .array(
      z.object({
        about: z.string().trim().min(1).max(200),
        sides: z
          .array(z.object({ passage: label, quote: z.string().min(1).max(600) }))
          .min(2)
          .max(6),
      }),
    )
    .max(20)
    .default([]),
});
export type Assessment = z.infer<typeof assessmentSchema>;
