import { z } from 'zod';
import { pdfStandards } from '../file-kinds.js';
import { nameSchema } from '../names.js';

/** Maximum Word templates of a tenant, and of bytes of one. */
export const MAX_WORD_TEMPLATES = 20;
export const MAX_WORD_TEMPLATE_BYTES = 10 * 1024 * 1024;

/** Name of the template of documents that name none. */
export const DEFAULT_WORD_TEMPLATE = 'default';

export const wordTemplateNameSchema = nameSchema(100);

/** Field of requests that make a Word file. */
export const wordTemplateField = wordTemplateNameSchema
  .optional()
  .describe(
    `name of a Word template for the look of the Word file (default: the one named "${DEFAULT_WORD_TEMPLATE}")`,
  );

/** Field of requests that make a PDF. */
export const pdfStandardField = z.enum(pdfStandards).optional().meta({
  description: 'mode export: standard that a pdf keeps: PDF/UA-1 (accessible) or PDF/A-2b (archives)',
});

/** Field of requests that make a Word file of a text that has proposals. */
export const trackedField = z.enum(['tracked']).optional().meta({
  description:
    'writes open proposals of reviews and of waiting changes, and open comments, into the Word file, as tracked changes and comments',
});

export const wordTemplateQuerySchema = z.object({
  name: wordTemplateNameSchema.optional().describe('the name of the file by default'),
});

const wordTemplateReportSchema = z
  .object({
    styles: z.array(z.string()).describe('styles of the file that documents use'),
    missing_styles: z.array(z.string()).describe('styles that documents use and the file lacks'),
    has_header: z.boolean(),
    has_footer: z.boolean(),
    page: z
      .object({ width: z.number().int(), height: z.number().int() })
      .nullable()
      .describe('in millimetres; null if the file does not specify it'),
  })
  .describe('what documents take from the file; the rest is as without a template');
export type WordTemplateReport = z.infer<typeof wordTemplateReportSchema>;

export const wordTemplateSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    size: z.number().int(),
    sha256: z.string(),
    report: wordTemplateReportSchema,
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'WordTemplate' });
