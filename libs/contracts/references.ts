import { z } from 'zod';

/** A missing reference and its position in a source (X2). */
export const decisionReferenceSchema = z.object({
  ref: z.string(),
  source: z.string().nullable(),
  line: z.number().int().nullable(),
  hint: z.string().nullable(),
});
export type DecisionReference = z.infer<typeof decisionReferenceSchema>;

/**
 * `user_decisions`: reference → `"skip"` or the name of an asset of the session (D20). The reference is
 * written exactly as in the source.
 */
export const userDecisionsSchema = z.record(z.string(), z.string());
export type UserDecisions = z.infer<typeof userDecisionsSchema>;

/** Skips a reference, or supplies a file that the session already has (`use:NAME`). */
const referenceChoice = z.union([z.literal('skip'), z.string().regex(/^use:.+$/)]);

/** Returns the schema of the choices for a question's references. */
export function referenceChoicesSchema(references: readonly DecisionReference[]): z.ZodObject {
  return z.object(Object.fromEntries(references.map(({ ref }) => [ref, referenceChoice]))).strict();
}
