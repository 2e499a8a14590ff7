import { z } from 'zod';
import { budgetShortfallSchema } from './budgets.js';
import { englishText, type Phrase } from './phrases/phrase.js';
import { phraseSchema } from './phrases/schema.js';
import { decisionReferenceSchema } from './references.js';

/**
 * Assignee, deadline and quorum of a run's decisions; the client that starts the run sets them
 * (`inputs.decisions`, X3).
 */
export const decisionOptionsSchema = z
  .object({
    assignee: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('ID or name of the API key that may answer; keys with the admin scope always may'),
    deadline_seconds: z
      .number()
      .int()
      .min(1)
      .max(31_536_000)
      .optional()
      .describe('seconds until the default answer applies'),
    quorum: z
      .number()
      .int()
      .min(2)
      .max(10)
      .optional()
      .describe('number of keys that must give the same answer'),
  })
  .strict();
type DecisionOptions = z.infer<typeof decisionOptionsSchema>;

/** Returns the decision options in a run's inputs, with defaults for the missing ones. */
export function decisionOptionsOf(inputs: Record<string, unknown>): DecisionOptions {
  return decisionOptionsSchema.parse(inputs['decisions'] ?? {});
}

/** Decision that a run needs from a person. */
export const decisionRequestSchema = z.object({
  session_id: z.string(),
  /** Name of a question; see `findQuestion`. */
  decision_type: z.string(),
  question: z.string(),
  /** Code and parameters of `question`; null for the words of a model, and for questions of older releases. */
  phrase: phraseSchema.nullable().default(null),
  /** Missing references that it asks about. */
  references: z.array(decisionReferenceSchema).default([]),
  /** Short facts that help to decide, such as the issues that remain. */
  context: z.array(z.string()).default([]),
  /** Codes and parameters of the facts in `context`; missing or null for texts from elsewhere. */
  context_phrases: z.array(phraseSchema.nullable()).default([]),
  /** Further data of this kind of question, such as a list of options. */
  details: z.record(z.string(), z.unknown()).default({}),
  /** Only with `budget_exceeded`. */
  budget: budgetShortfallSchema.optional(),
  /** Seconds from the pause until `default_answer` applies. */
  deadline_seconds: z.number().int().positive(),
  default_answer: z.record(z.string(), z.unknown()),
});
export type DecisionRequest = z.infer<typeof decisionRequestSchema>;
/** A question as a node asks it; fields with a default are optional. */
export type DecisionOrder = z.input<typeof decisionRequestSchema>;

/** Returns the fields of a question that has a phrase. */
export const questionOf = (asked: Phrase): Pick<DecisionRequest, 'question' | 'phrase'> => ({
  question: englishText(asked),
  phrase: asked,
});

/** Returns the fields of facts, which are phrases, or texts from elsewhere. */
export const contextOf = (
  facts: readonly (Phrase | string)[],
): Pick<DecisionRequest, 'context' | 'context_phrases'> => ({
  context: facts.map((fact) => (typeof fact === 'string' ? fact : englishText(fact))),
  context_phrases: facts.map((fact) => (typeof fact === 'string' ? null : fact)),
});
