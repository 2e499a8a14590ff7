import { z } from 'zod';
import { runBudgetSchema } from '#contracts/budgets.js';
import { articleKind, articleModes } from '../contract.js';
import { keywordsSchema, loggedArticleSchema, topicSchema } from './values.js';

/** ID of a thread's event: the run and the event's number in it. */
export const chatPositionSchema = z.string().regex(/^run_\w{1,60}\.\d{1,10}$/, 'must be the id of an event');

const thread = z.string().max(100).describe('ID of the conversation, which is the ID of its session');

/** Starts an article in a new or an existing thread or, without `inputs`, follows the article of a thread. */
export const chatStreamSchema = z
  .object({
    thread_id: thread.optional(),
    mode: z.enum(articleModes).optional().describe('mode of a new article (default: the first)'),
    inputs: articleKind.inputs.optional().describe('inputs of a new article'),
    budget: runBudgetSchema.optional(),
    after: chatPositionSchema
      .optional()
      .describe('ID of the last event received; same as the header Last-Event-ID'),
  })
  .strict()
  .refine(({ thread_id, inputs }) => thread_id !== undefined || inputs !== undefined, {
    path: ['inputs'],
    message: 'is required to start an article',
  })
  .meta({ id: 'ChatStream' });

/** Answer to the open question of a thread. */
export const chatResumeSchema = z
  .object({
    thread_id: thread,
    decision_id: z.string().max(100).describe('ID from the event hitl_pause'),
    answer: z.record(z.string(), z.unknown()).describe('must match answer_schema of the event'),
  })
  .strict()
  .meta({ id: 'ChatResume' });

export const topicCheckSchema = z
  .object({ topic: topicSchema, keywords: keywordsSchema.default([]) })
  .strict()
  .meta({ id: 'TopicCheck' });

export const topicCheckedSchema = z
  .object({
    duplicate: z.boolean(),
    article: loggedArticleSchema.nullable().describe('the most similar article'),
  })
  .meta({ id: 'TopicChecked' });
