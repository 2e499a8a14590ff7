import { z } from 'zod';

/** Maximum lifetime of a link to a result, in days. */
export const MAX_SHARE_DAYS = 90;

/** A result, or one of the exported files, and the end of its link. */
export const newShareSchema = z
  .object({
    result: z
      .object({ kind: z.string().max(100), name: z.string().max(100) })
      .strict()
      .optional()
      .describe('a text of the session’s results; the link shows its newest version'),
    export_id: z.string().max(100).optional().describe('a file of the session’s exports'),
    until: z.iso.datetime({ offset: true }).describe(`end of the link, at most ${MAX_SHARE_DAYS} days ahead`),
  })
  .strict()
  .meta({ id: 'NewShare', description: 'Names either a result or an export.' });

export const shareSchema = z
  .object({
    id: z.string(),
    kind: z.string().nullable().describe('kind of the result; null for an export'),
    name: z.string().nullable().describe('name of the result; null for an export'),
    export_id: z.string().nullable(),
    expires_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Share', description: 'A link by which anyone can read one result.' });

const path = z.string().describe('path to open in a browser, relative to the URL of the service; shown once');

export const createdShareSchema = shareSchema.extend({ path }).meta({ id: 'CreatedShare' });

export const decisionLinkSchema = z
  .object({ id: z.string(), path, expires_at: z.iso.datetime() })
  .meta({ id: 'DecisionLink', description: 'Answers one decision once, without an account.' });
