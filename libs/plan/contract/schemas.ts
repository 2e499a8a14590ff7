import { phraseSchema } from '#contracts/phrases/schema.js';
import { z } from 'zod';
import { planKind } from '../contract.js';
import { parameterValuesSchema, planParameterSchema } from './parameters.js';
import {
  planCommandSchema,
  planConfigSchema,
  planDagSchema,
  planPauseSchema,
  planningSchema,
  planTaskSchema,
} from './values.js';
import { exportSchema } from '#contracts/api/schemas.js';
import { runBudgetSchema } from '#contracts/budgets.js';
import { runErrorSchema, runStatusSchema } from '#contracts/runs.js';

const intent = z.string().min(1).max(4_000);
const context = z.record(z.string(), z.unknown());

export const newPlanSchema = z
  .object({
    session_id: z.string(),
    intent: intent.optional().meta({
      description: 'goal; the model makes a plan for it unless `dag` or `template` is given',
    }),
    dag: planDagSchema.optional(),
    template: z.string().min(1).max(100).optional().meta({
      description: 'name of a template, which runs without a model',
    }),
    parameters: parameterValuesSchema
      .optional()
      .meta({ description: "values of the template's parameters, by name" }),
    context: context.optional().meta({ description: 'values for parameters of tools, by name' }),
    config: planConfigSchema.prefault({}),
    budget: runBudgetSchema.default({}),
  })
  .strict()
  .refine((plan) => [plan.intent, plan.dag, plan.template].some((given) => given !== undefined), {
    message: 'needs "intent", "dag" or "template"',
  })
  .refine(({ dag, template, parameters }) => !(template === undefined ? parameters : dag), {
    message: 'pass either "template" with its "parameters", or "dag"',
  })
  .meta({ id: 'NewPlan' });

/** Decision that a plan waits for, as clients receive it (P2). */
export const approvalRequiredSchema = z
  .object({
    workflow_id: z.string(),
    checkpoint_id: z.string(),
    decision_id: z.string(),
    decision_type: z.enum(['ail', 'hil', 'outcome']),
    description: z.string(),
    phrase: phraseSchema
      .nullable()
      .meta({ description: 'code and parameters of "description", without the explanations for programs' }),
    context: planPauseSchema,
    options: z.array(z.string()),
    deadline: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApprovalRequired' });

export const planSchema = z
  .object({
    id: z.string(),
    session_id: z.string(),
    status: runStatusSchema.or(z.literal('approval_required')),
    phase: z.string().nullable(),
    error: runErrorSchema.nullable(),
    approval_required: approvalRequiredSchema.nullable(),
    ...planKind.progress.shape,
    files: z.array(exportSchema).meta({
      description: 'files that the plan and the runs that it started wrote for download, newest first',
    }),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Plan' });

export const newPlanCommandSchema = planCommandSchema.meta({ id: 'PlanCommand' });
export const acceptedCommandSchema = z
  .object({
    command_id: z.string(),
    handled: z.enum(['now', 'before_next_layer']).meta({
      description:
        '`now`: the command answered the open decision; otherwise, it is executed before the next layer starts',
    }),
  })
  .meta({ id: 'AcceptedPlanCommand' });

export const newSuggestionSchema = z
  .object({
    intent,
    context: context.default({}),
    session_id: z.string().optional().meta({
      description:
        'session over whose files the model plans; without it, tools are only named, and found by words',
    }),
  })
  .strict()
  .meta({ id: 'NewPlanSuggestion' });
export const suggestionSchema = z
  .object({
    tasks: z.array(planTaskSchema),
    layers: z.array(z.array(z.string())),
    confidence: z.number().meta({ description: 'confidence in the plan, 0…1' }),
    missing: z.array(z.object({ task_id: z.string(), parameter: z.string() })),
    planned_by: planningSchema.shape.planned_by,
    understanding: planningSchema.shape.understanding,
    assumptions: planningSchema.shape.assumptions,
    outputs: planningSchema.shape.outputs,
    not_covered: z
      .array(z.string())
      .meta({ description: 'parts of the request that the plan does not serve' }),
  })
  .meta({ id: 'PlanSuggestion' });

export const planTemplatesSchema = z
  .object({
    items: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        title_phrase: phraseSchema,
        description: z.string(),
        description_phrase: phraseSchema,
        tools: z.array(z.string()).meta({ description: 'tools that it calls' }),
        parameters: z.array(
          z.object({
            name: z.string(),
            label: z.string(),
            label_phrase: phraseSchema,
            kind: planParameterSchema.shape.kind,
            choices: planParameterSchema.shape.choices,
            default: planParameterSchema.shape.default,
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'PlanTemplates' });

export const toolSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    input: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of the arguments' }),
    output: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of the result' }),
    side_effects: z.boolean(),
    timeout_ms: z.number().int(),
    attempts: z.number().int(),
    cost: z.number(),
    score: z.number().nullable().meta({ description: 'relevance to the query; null without a query' }),
  })
  .meta({ id: 'Tool' });

export const toolsSchema = z
  .object({
    items: z.array(toolSchema),
    degraded: z.array(z.enum(['semantic'])).meta({
      description: '`semantic`: the embedding server failed, so the tools were found by words only',
    }),
  })
  .meta({ id: 'Tools' });

export const toolGraphSchema = z
  .object({
    nodes: z.array(
      z.object({ name: z.string(), rank: z.number().meta({ description: 'PageRank; all sum to 1' }) }),
    ),
    edges: z.array(
      z.object({ from: z.string(), to: z.string(), count: z.number().int(), confidence: z.number() }),
    ),
    requests: z.array(z.object({ tool: z.string(), requests: z.array(z.string()) })),
  })
  .meta({ id: 'ToolGraph' });
