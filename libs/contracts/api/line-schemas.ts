import { z } from 'zod';

/** Maximum number of lines in a response. */
const MAX_LINES = 2_000;

export const lineRangeQuery = z
  .object({
    first: z.coerce
      .number()
      .int()
      .min(1)
      .max(2_000_000_000)
      .default(1)
      .meta({ description: 'counted from 1' }),
    count: z.coerce.number().int().min(1).max(MAX_LINES).default(500),
  })
  .strict();

/** Lines of a text, without line ends. */
export const textLinesSchema = z
  .object({
    first: z.number().int(),
    lines: z.array(z.string()).meta({
      description: 'fewer than requested if the text ends earlier; lines over 8 KiB are truncated',
    }),
  })
  .meta({ id: 'TextLines' });
