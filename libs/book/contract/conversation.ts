import { phraseSchema } from '#contracts/phrases/schema.js';
import { z } from 'zod';
import { bookProfileSchema } from './profile.js';

/** The conversation that fills in a profile, the newest message last (B17). */
export const conversationSchema = z
  .array(z.object({ role: z.enum(['user', 'assistant']), content: z.string().min(1).max(8_000) }).strict())
  .min(1)
  .max(200)
  .describe('the conversation so far, the newest last');
export type Conversation = z.infer<typeof conversationSchema>;

/** Reply of the profile assistant (B17, B18). */
export const profileReplySchema = z
  .object({
    assistant_reply: z.string(),
    reply_phrase: phraseSchema
      .optional()
      .describe('Code and parameters of assistant_reply. A reply of the model has none.'),
    field_updates: bookProfileSchema,
    next_field: z.string().nullable(),
    choices: z.array(z.string()).describe('quick answers for next_field'),
    choice_phrases: z
      .array(phraseSchema.nullable())
      .optional()
      .describe(
        'Code and parameters of each quick answer, null for a number. Send its text in any language as the answer.',
      ),
    is_finalized: z.boolean(),
    missing_required: z.array(z.string()),
    used_fallback: z.boolean().describe('true if rules created it, not the model: the reply to "finalize"'),
    fallback_stage: z.string().nullable(),
  })
  .meta({ id: 'ProfileReply' });
export type ProfileReply = z.infer<typeof profileReplySchema>;
