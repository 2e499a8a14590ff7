import { z } from 'zod';

/** A file of an upload that was not stored; the rest of the upload was. */
export const leftOutFileSchema = z
  .object({
    name: z.string(),
    reason: z.enum(['empty', 'duplicate']).meta({
      description:
        '`empty`: the file has no content; `duplicate`: the upload already contains it under this name',
    }),
  })
  .meta({ id: 'LeftOutFile' });
export type LeftOutFile = z.infer<typeof leftOutFileSchema>;

/** Response to an upload: stored and skipped files. */
export const uploadOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), left_out: z.array(leftOutFileSchema) });
