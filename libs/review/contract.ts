import { defineRunKind } from '#contracts/run-kind.js';
import { z } from 'zod';

/** Object of a session's returned Word file: the ID under which it was stored. */
const fileId = z.string().regex(/^fil_[0-9a-z]{26}$/);

/**
 * Runs of kind `review`: read what people changed in a Word file that came back (X9).
 * `POST /api/sessions/{id}/reviews` starts them, because the file has to be stored first.
 */
export const reviewKind = defineRunKind({
  kind: 'review',
  modes: [],
  inputs: z.object({
    file_id: fileId.meta({ description: 'the stored Word file' }),
    name: z.string().min(1).max(300).meta({ description: 'name of the file' }),
  }),
  needsFiles: false,
  tasks: {
    /** X9: reads the changes and comments of a returned Word file, and stores them as proposals. */
    read_review: {
      queue: 'scanner',
      input: z.object({ session_id: z.string(), file_id: fileId, name: z.string() }),
      output: z.object({ proposals: z.number().int() }),
      timeoutMs: 1_200_000,
      attempts: 3,
      inputFiles: () => [],
    },
  },
  questions: {},
  events: { review_read: 'the changes of a returned Word file were read' },
  progress: z.object({
    proposals: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'number of proposals; null before they are read' }),
  }),
  results: {},
});

export type ReviewInputs = z.infer<typeof reviewKind.inputs>;
