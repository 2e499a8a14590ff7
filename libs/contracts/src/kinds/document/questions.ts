import { z } from 'zod';
import { referenceChoicesSchema } from '../../references.js';
import type { QuestionDefinition } from '../run-kind.js';

/** `missing_references` (D18: upload or skip), `fix_exhausted` (D23: validation failed three times). */
export const documentQuestions = {
  missing_references: {
    answer: ({ references }) => z.object({ user_decisions: referenceChoicesSchema(references) }).strict(),
    byReference: true,
  },
  fix_exhausted: {
    answer: () => z.object({ action: z.enum(['accept', 'retry', 'abort']) }).strict(),
  },
} as const satisfies Record<string, QuestionDefinition>;
