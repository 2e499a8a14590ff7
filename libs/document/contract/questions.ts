import { z } from 'zod';
import type { DecisionRequest } from '#contracts/decision-request.js';
import { referenceChoicesSchema } from '#contracts/references.js';
import type { QuestionDefinition } from '#contracts/run-kind.js';
import { undecodedSchema, unreadableSchema } from './tasks.js';

const encodingDetails = z.object({ files: z.array(undecodedSchema) });

/** Returns the answer schema: for each file, one encoding among those offered. */
function encodingAnswer({ details }: DecisionRequest): z.ZodObject {
  const fields = encodingDetails
    .parse(details)
    .files.map(({ name, offers }) => [name, z.enum(offers.map(({ encoding }) => encoding))] as const);
  return z.object({ encodings: z.object(Object.fromEntries(fields)).strict() }).strict();
}

/**
 * `missing_references` (D18: upload or skip), `encodings` (D7: encodings of texts that are not UTF-8),
 * `unreadable_files` (D4: leave out the files that cannot be read, or end the run),
 * `fix_exhausted` (D23: validation failed three times).
 */
export const documentQuestions = {
  missing_references: {
    answer: ({ references }) => z.object({ user_decisions: referenceChoicesSchema(references) }).strict(),
    byReference: true,
  },
  encodings: { details: encodingDetails, answer: encodingAnswer },
  unreadable_files: {
    details: z.object({ files: z.array(unreadableSchema) }),
    answer: () => z.object({ action: z.enum(['leave_out', 'abort']) }).strict(),
  },
  fix_exhausted: {
    answer: () => z.object({ action: z.enum(['accept', 'retry', 'abort']) }).strict(),
  },
} as const satisfies Record<string, QuestionDefinition>;
