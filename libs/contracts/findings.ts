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

/** An author's ruling that a finding is wrong. */
const overrulingSchema = z.object({
  by: z.string().describe('ID of the API key'),
  at: z.iso.datetime(),
  reason: z.string().nullable(),
});

/** Result of a text check (B26): its position, why it matters and how to fix it. */
export const findingSchema = z
  .object({
    id: z.string().describe('Identical for the same rule, position and words.'),
    rule: z.string(),
    severity: z.enum(['info', 'warning', 'error']),
    message: z.string(),
    phrase: phraseSchema
      .optional()
      .describe('Code and parameters of the message; missing for the words of a model.'),
    span: spanSchema.nullable(),
    paragraph_id: z.string().nullable(),
    evidence: z.array(evidenceSchema),
    suggestion: z.string().nullable(),
    suggestion_phrase: phraseSchema
      .optional()
      .describe('Code and parameters of an advice; missing for words that replace the text.'),
    subject: z
      .string()
      .optional()
      .describe('Identical for the same point about the same sentence; missing in older findings.'),
    overruled: overrulingSchema
      .optional()
      .describe('Set if the author says that the finding is wrong; then it counts for nothing.'),
  })
  .meta({ id: 'Finding' });
export type Finding = z.infer<typeof findingSchema>;

/** A finding that an author called wrong, remembered for all texts of a session. */
export interface OverruledFinding extends z.infer<typeof overrulingSchema> {
  /** Subject of the finding, or its ID if it has none. */
  subject: string;
}

/** What an author says about a finding: that it is wrong, or, with null, that it counts again. */
export const findingChangesSchema = z
  .object({
    overruled: z
      .object({ reason: z.string().trim().min(1).max(1_000).nullable().optional() })
      .strict()
      .nullable(),
  })
  .strict()
  .meta({ id: 'FindingChanges' });
export type FindingChanges = z.infer<typeof findingChangesSchema>;

/** Returns what the author's rulings about a finding are stored under. */
export const subjectOf = ({ subject, id }: Pick<Finding, 'subject' | 'id'>): string => subject ?? id;

/** Returns whether a finding counts: its author has not called it wrong. */
export const isActive = ({ overruled }: Finding): boolean => overruled === undefined;

/** Marks the findings that the author called wrong, and no others. */
export function withOverruled(findings: Finding[], rulings: readonly OverruledFinding[]): Finding[] {
  const bySubject = new Map(rulings.map((ruling) => [ruling.subject, ruling]));
  return findings.map(({ overruled: _, ...found }) => {
    const ruling = bySubject.get(subjectOf(found)) ?? bySubject.get(found.id);
    if (!ruling) return found;
    const { by, at, reason } = ruling;
    return { ...found, overruled: { by, at, reason } };
  });
}
