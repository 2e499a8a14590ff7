import { z } from 'zod';
import { runBudgetSchema } from '#contracts/budgets.js';
import { articleKind, articleModes } from '../contract.js';
import { keywordsSchema, loggedArticleSchema, topicSchema } from './values.js';

/** ID of a thread's event: the run and the event's number in it. */
export const chatPositionSchema = z.string().regex(/^run_\w{1,60}\.\d{1,10}$/, 'must be the id of an event');

const thread = z.string().max(100).meta({ description: 'of the conversation; the id of its session' });

/** Starts an article in a new or an existing thread or, without `inputs`, follows the article of a thread. */
export const chatStreamSchema = z
  .object({
    thread_id: thread.optional(),
    mode: z.enum(articleModes).optional().meta({ description: 'of a new article; the first by default' }),
    inputs: articleKind.inputs
      .optional()
      .meta({ description: 'of a new article, as runs of its kind take them' }),
    budget: runBudgetSchema.optional(),
    after: chatPositionSchema
      .optional()
      .meta({ description: 'the id of the last event that came; the header Last-Event-ID says the same' }),
  })
  .strict()
  .refine(({ thread_id, inputs }) => thread_id !== undefined || inputs !== undefined, {
    path: ['inputs'],
    message: 'is needed unless a thread is followed',
  })
  .meta({ id: 'ChatStream' });

/** Answer to the open question of a thread. */
export const chatResumeSchema = z
  .object({
    thread_id: thread,
    decision_id: z.string().max(100).meta({ description: 'of the event hitl_pause' }),
    answer: z
      .record(z.string(), z.unknown())
      .meta({ description: 'as answer_schema of the event asks for it' }),
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
    article: loggedArticleSchema.nullable().meta({ description: 'the article that it resembles most' }),
  })
  .meta({ id: 'TopicChecked' });
