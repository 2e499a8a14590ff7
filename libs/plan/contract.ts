import { z } from 'zod';
import { planQuestions } from './contract/questions.js';
import {
  planConfigSchema,
  planDagSchema,
  planDecisionSchema,
  planTaskResultSchema,
  planTaskSchema,
} from './contract/values.js';
import { planTasks } from './contract/tasks.js';
import { defineRunKind } from '#contracts/run-kind.js';

/** Runs of kind `plan`: a graph of tools with decisions, replanning and learning (P1–P13). */
export const planKind = defineRunKind({
  kind: 'plan',
  modes: [],
  inputs: z.object({
    intent: z
      .string()
      .min(1)
      .max(4_000)
      .optional()
      .meta({ description: 'what is wanted; the plan is then suggested' }),
    dag: planDagSchema
      .optional()
      .meta({ description: 'the plan itself; suggested from `intent` when left out' }),
    context: z.record(z.string(), z.unknown()).optional().meta({
      description: 'what is known beforehand; parameters of suggested tools are filled from it by name',
    }),
    config: planConfigSchema.prefault({}),
  }),
  needsFiles: false,
  tasks: planTasks,
  questions: planQuestions,
  events: {
    plan_created: 'the plan stands: its tasks, layers and confidence',
    layer_started: 'the tasks of a layer begin',
    task_progress: 'the tool of an MCP server says how far it is',
    task_complete: 'a task of the plan is done',
    task_error: 'a task of the plan failed for good',
    plan_decision: 'an agent or a person decided, or the default took effect',
    ail_failed: 'the agent gave no valid answer in time, or its model failed (`code`); the plan goes on',
    hil_timeout: 'nobody approved in time; what the configuration says took effect',
    replan_failed: 'the plan could not be planned anew and goes on as it is',
    command_refused: 'a command came too late to be followed',
    graphrag_update_failed: 'nothing could be learnt from the plan; it is tried again later',
  },
  progress: z.object({
    intent: z.string().nullable(),
    tasks: z.array(planTaskSchema),
    layers: z.array(z.array(z.string())),
    results: z.array(planTaskResultSchema.omit({ result: true, result_key: true })),
    decisions: z.array(planDecisionSchema),
    confidence: z
      .number()
      .nullable()
      .meta({ description: 'how well known the ways of a suggested plan are, 0…1' }),
    replans: z.number().int(),
  }),
  results: {},
});

export type PlanRunInputs = z.infer<typeof planKind.inputs>;
