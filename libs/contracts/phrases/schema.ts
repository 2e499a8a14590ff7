import { z } from 'zod';
import type { Phrase } from './render.js';

export const phraseSchema: z.ZodType<Phrase> = z
  .object({
    code: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number(), z.lazy(() => phraseSchema)])),
  })
  .meta({
    id: 'Phrase',
    description:
      'Stable code and parameters of an English text beside it, for programs that show it in another language.',
  });
