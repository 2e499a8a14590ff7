import { z } from 'zod';

/** Characters `start` (included) to `end` (excluded) of a text, counted in UTF-16 units from 0. */
export const spanSchema = z.object({ start: z.number().int().min(0), end: z.number().int().min(0) });
export type Span = z.infer<typeof spanSchema>;

/** A place that speaks for a finding: a passage of a source or of another text, with the words that matter. */
export const evidenceSchema = z.object({
  text: z.string(),
  /** What the passage is of: a source's or a chapter's id, or null for the text itself. */
  of: z.string().nullable(),
  span: spanSchema.nullable(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** Something that a check of a text has found (B26): where it is, why it matters and what would mend it. */
export const findingSchema = z
  .object({
    id: z.string().meta({ description: 'The same for the same rule, place and words.' }),
    rule: z.string(),
    severity: z.enum(['info', 'warning', 'error']),
    message: z.string(),
    span: spanSchema.nullable(),
    paragraph_id: z.string().nullable(),
    evidence: z.array(evidenceSchema),
    suggestion: z.string().nullable(),
  })
  .meta({ id: 'Finding' });
export type Finding = z.infer<typeof findingSchema>;
