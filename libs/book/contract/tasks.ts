import { z } from 'zod';
import { citationStyleSchema } from '#contracts/bibliography.js';
import { exportFormats } from '#contracts/export-formats.js';
import type { TaskDefinition } from '#contracts/run-kind.js';

/** Tasks that a book's graph delegates to other workers. */
export const bookTasks = {
  /** B12: the current chapters → one file, stored as an export of the session. */
  book_export: {
    queue: 'converter',
    input: z.object({
      session_id: z.string(),
      project_id: z.string(),
      format: z.enum(exportFormats),
      citation_style: citationStyleSchema.optional(),
    }),
    output: z.object({ export_id: z.string(), name: z.string(), bytes: z.number().int() }),
    timeoutMs: 2_400_000,
    attempts: 3,
    inputFiles: () => null,
  },
} satisfies Record<string, TaskDefinition>;
