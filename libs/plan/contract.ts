import { phraseSchema } from '#contracts/phrases/schema.js';
import { z } from 'zod';
import {
  planConfigSchema,
  planDagSchema,
  planDecisionSchema,
  planningSchema,
  planTaskResultSchema,
  planTaskSchema,
  agentAnswerSchema,
  approvalAnswerSchema,
  outcomeAnswerSchema,
  planPauseSchema,
} from './contract/values.js';
import { madeFromSchema } from './contract/parameters.js';
import { planTasks } from './contract/tasks.js';
import { defineRunKind, type QuestionDefinition } from '#contracts/run-kind.js';

/**
 * `plan_agent` (P1: an agent decides after a layer), `plan_approval` (P5: a person approves the next layer),
 * `plan_outcome` (a person reports the outcome of an interrupted call).
 */
const planQuestions = {
  plan_agent: { details: planPauseSchema, answer: () => agentAnswerSchema },
  plan_approval: { details: planPauseSchema, answer: () => approvalAnswerSchema },
  plan_outcome: { details: planPauseSchema, answer: () => outcomeAnswerSchema },
} as const satisfies Record<string, QuestionDefinition>;

/** Runs of kind `plan`: a graph of tools with decisions, replanning and learning (P1–P13). */
export const planKind = defineRunKind({
  kind: 'plan',
  // Lists of plans omit runs in mode `suggest`.
  modes: ['run', 'suggest'],
  inputs: z.object({
    intent: z.string().min(1).max(4_000).optional().meta({
      description: 'goal for which the model makes a plan; needs a model unless `dag` is given',
    }),
    dag: planDagSchema.optional().meta({ description: 'plan (default: made by the model for `intent`)' }),
    context: z.record(z.string(), z.unknown()).optional().meta({
      description: 'known values, by name, for parameters of suggested tools',
    }),
    config: planConfigSchema.prefault({}),
    made_from: madeFromSchema.optional(),
  }),
  needsFiles: false,
  tasks: planTasks,
  questions: planQuestions,
  events: {
    plan_created: 'the plan is complete, with its tasks, layers and confidence',
    tools_found_by_words:
      'the embedding server failed, so the tools for a `stage` (plan, replan) were found by words only',
    layer_started: 'the tasks of a layer started',
    task_progress: 'the tool of an MCP server reported progress',
    task_complete: 'a task of the plan is done',
    task_error: 'a task of the plan failed permanently',
    task_skipped: 'a task of the plan was skipped: its condition does not hold',
    plan_decision: 'an agent or a person decided, or the default took effect',
    ail_failed:
      'the agent gave no valid answer in time, or its model failed (`code`); `action_taken` says whether the plan continues or a person is asked',
    hil_timeout: 'nobody approved in time; the configured default took effect',
    replan_failed:
      'replanning failed; the plan continues unchanged, or ends after the error of a task (`action_taken`)',
    command_refused: 'a command arrived too late to be executed',
    graphrag_update_failed: 'learning from the plan failed and will be retried',
  },
  progress: z.object({
    intent: z.string().nullable(),
    tasks: z.array(planTaskSchema),
    layers: z.array(z.array(z.string())),
    results: z.array(planTaskResultSchema.omit({ result: true, result_key: true })),
    decisions: z.array(planDecisionSchema),
    planning: planningSchema
      .nullable()
      .default(null)
      .meta({ description: 'how the plan was made; null for a given plan' }),
    confidence: z.number().nullable().meta({ description: 'confidence in a suggested plan, 0…1' }),
    replans: z.number().int(),
    warnings: z
      .array(
        z.object({
          code: z.string(),
          task_id: z.string().nullable(),
          message: z.string(),
          phrase: phraseSchema.optional(),
        }),
      )
      .default([])
      .meta({
        description:
          'what a person should know although the plan goes on or succeeded: `items_failed` of a `map`, `task_failed`, `no_files`',
      }),
  }),
  results: {},
});

export type PlanRunInputs = z.infer<typeof planKind.inputs>;
