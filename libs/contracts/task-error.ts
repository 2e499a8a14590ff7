import { z } from 'zod';
import { phraseSchema } from './phrases/schema.js';

/** Permanent failure of a task; `phrase` has the code and parameters of the message, unless it comes from elsewhere. */
export const taskErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  phrase: phraseSchema.optional(),
});
export type TaskError = z.infer<typeof taskErrorSchema>;
