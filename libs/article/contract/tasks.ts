import { z } from 'zod';
import { citationStyleSchema } from '#contracts/bibliography.js';
import { exportFormats, pdfStandards } from '#contracts/file-kinds.js';
import type { TaskDefinition } from '#contracts/run-kind.js';
import { spanSchema } from '#contracts/findings.js';

/** A passage that an article can cite, as it is stored with the approved text. */
export const citedPassagesSchema = z.array(
  z.object({
    label: z.string(),
    source_id: z.string(),
    source_title: z.string(),
    author: z.string().nullable(),
    date: z.string().nullable(),
    url: z.string().nullable(),
    heading_path: z.array(z.string()),
    span: spanSchema.nullable(),
  }),
);
export type CitedPassages = z.infer<typeof citedPassagesSchema>;

/** Object keys of an approved article. */
export interface ApprovedArticle {
  text_key: string;
  /** Passages that it can cite; null for a text that an older release stored, or that was only reviewed. */
  sources_key: string | null;
}

/** Tasks that an article's graph delegates to other workers. */
export const articleTasks = {
  /** An article → one file, stored as an export of the session. */
  article_export: {
    queue: 'converter',
    input: z.object({
      session_id: z.string(),
      text_key: z.string(),
      sources_key: z.string().nullable(),
      format: z.enum(exportFormats),
      citation_style: citationStyleSchema.optional(),
      pdf_standard: z.enum(pdfStandards).optional(),
      proposals: z.literal('tracked').optional(),
      author: z.string().optional(),
    }),
    output: z.object({ export_id: z.string(), name: z.string(), bytes: z.number().int() }),
    timeoutMs: 2_400_000,
    attempts: 3,
  },
} satisfies Record<string, TaskDefinition>;
