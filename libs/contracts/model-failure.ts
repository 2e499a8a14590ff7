import { z } from 'zod';
import { phraseSchema } from './phrases/schema.js';

/** A model that cannot answer, after all retries. */
const modelFailureSchema = z.object({
  code: z.string().meta({ description: 'stable code, such as model_quota_exceeded' }),
  message: z.string(),
  phrase: phraseSchema.optional().meta({
    description: 'Code and parameters of the message; missing for the words of a provider.',
  }),
  operation: z.string().meta({ description: 'what the model was asked for, such as draft_chapter' }),
  model: z.string().meta({ description: 'name of the model' }),
});
export type ModelFailureReport = z.infer<typeof modelFailureSchema>;

/**
 * Possible answers to a failed model: ask the same model again, ask the installation's other model from now
 * on, let rules do the work, or end the run as failed.
 */
const modelChoices = ['retry', 'other_model', 'rules', 'stop'] as const;
export type ModelChoice = (typeof modelChoices)[number];

/** Details of the question `model_failed`. */
export const modelFailedDetailsSchema = modelFailureSchema.extend({
  other_model: z.string().nullable().meta({ description: 'model that other_model stands for' }),
  choices: z.array(z.enum(modelChoices)).min(1),
});
