import { z } from 'zod';
import { nameSchema } from '../names.js';

/** Query for one page of a list; lists with filters extend it. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(1_000)
    .optional()
    .describe('`next_cursor` of the previous page; omit it for the first page'),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** Query parameter of a list: only items whose title contains the text. */
export const titlePart = nameSchema(200)
  .optional()
  .describe('only items whose title contains this text, regardless of case');

/** Returns the schema of one page of a list that may grow without bound. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    next_cursor: z.string().nullable().describe('null on the last page'),
  });
