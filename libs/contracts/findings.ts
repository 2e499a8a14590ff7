import { z } from 'zod';
import { phraseSchema } from './phrases/schema.js';

/** Characters `start` (included) to `end` (excluded) of a text, counted in UTF-16 units from 0. */
export const spanSchema = z.object({ start: z.number().int().min(0), end: z.number().int().min(0) });
export type Span = z.infer<typeof spanSchema>;

/** Evidence for a finding: a passage of a source or another text, with the words that matter. */
export const evidenceSchema = z.object({
  text: z.string(),
  /** Code and parameters of the text; absent for the words of a passage. */
  phrase: phraseSchema.optional(),
  /** Origin of the passage: ID of a source or chapter, `corpus`, or null for the text itself. */
  of: z.string().nullable(),
  span: spanSchema.nullable(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** Result of a text check (B26): its position, why it matters and how to fix it. */
export const findingSchema = z
  .object({
    id: z.string().meta({ description: 'Identical for the same rule, position and words.' }),
    rule: z.string(),
    severity: z.enum(['info', 'warning', 'error']),
    message: z.string(),
    phrase: phraseSchema.optional().meta({
      description: 'Code and parameters of the message; missing for the words of a model.',
    }),
    span: spanSchema.nullable(),
    paragraph_id: z.string().nullable(),
    evidence: z.array(evidenceSchema),
    suggestion: z.string().nullable(),
    suggestion_phrase: phraseSchema.optional().meta({
      description: 'Code and parameters of an advice; missing for words that replace the text.',
    }),
  })
  .meta({ id: 'Finding' });
export type Finding = z.infer<typeof findingSchema>;
