import { taskErrorSchema } from '#contracts/task-error.js';
import { MAX_POINTER_LENGTH } from './dependencies.js';
import { z } from 'zod';

/** Argument from the result of an earlier plan step: a JSON Pointer (RFC 6901) into it. */
const resultReferenceSchema = z
  .object({
    $from: z.string().describe('id of an earlier task'),
    path: z.string().max(MAX_POINTER_LENGTH).describe('JSON Pointer; "" selects the whole result'),
  })
  .strict();

/** Maximum size of a plan step's arguments in bytes of JSON; larger values come from earlier results. */
export const MAX_ARGUMENT_BYTES = 64_000;
export const MAX_PLAN_TASKS = 200;

export const planTaskSchema = z
  .object({
    id: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/),
    tool: z
      .string()
      .min(1)
      .max(200)
      .meta({ description: 'name of a tool of the platform, or `server/tool`' }),
    arguments: z.record(z.string(), z.unknown()).default({}).meta({
      description:
        'arguments; `{"$from": "task", "path": "/a/0"}` uses a value of an earlier result, and its `default`, a value or another reference, replaces a missing one, so that two branches can meet',
    }),
    depends_on: z.array(z.string()).max(50).default([]),
    when: resultReferenceSchema.optional().meta({
      description:
        'true or false in an earlier result; if false, this task is skipped, and so is each task that uses its result',
    }),
    purpose: z.string().max(300).optional().meta({ description: 'purpose of the task, for people' }),
    retries: z.number().int().min(0).max(5).optional().meta({
      description: 'how often the task is tried again after it failed (default: by `on_task_error`)',
    }),
    timeout_seconds: z.number().int().min(1).max(300).optional().meta({
      description:
        'time limit of one attempt, if shorter than that of the tool; model calls and runs have limits of their own',
    }),
    continue_on_error: z.boolean().optional().meta({
      description: 'whether the plan can succeed if the task fails; tasks that need its result are skipped',
    }),
    needs_approval: z.boolean().optional().meta({
      description:
        'whether a person approves the task first; tasks with side effects always require approval',
    }),
  })
  .strict();
export type PlanTask = z.infer<typeof planTaskSchema>;

export const planDagSchema = z.object({ tasks: z.array(planTaskSchema).min(1).max(MAX_PLAN_TASKS) }).strict();

const seconds = z.number().int().min(1).max(2_592_000);

/** Decision points of a plan, and its reaction to errors (P1, P5, P6). */
export const planConfigSchema = z
  .object({
    ail: z
      .object({
        decision_points: z.enum(['off', 'per_layer', 'on_error', 'manual']).default('off').meta({
          description:
            'when the agent is asked: after each layer, after a failed layer, never, or (`manual`) when the command `request_decision` asks for it',
        }),
        agent: z.enum(['client', 'model']).default('client').meta({
          description: 'who decides: the client that follows the run, or the model of the installation',
        }),
        deadline_seconds: seconds.default(60).meta({
          description:
            'seconds to wait for the answer of the client or model, after which the plan continues',
        }),
      })
      .strict()
      .prefault({}),
    hil: z
      .object({
        approval_required: z.enum(['always', 'critical_only', 'never']).default('critical_only'),
        deadline_seconds: seconds
          .default(604_800)
          .meta({ description: 'time in which a person answers (default: 7 days)' }),
        on_timeout: z.enum(['abort', 'approve']).default('abort'),
      })
      .strict()
      .prefault({}),
    on_task_error: z.enum(['end', 'retry', 'ask', 'replan']).optional().meta({
      description:
        'what happens after a task fails permanently: end the plan, retry once, ask the agent, or have the model plan anew what has not run (default: `replan` for a plan that a model made, otherwise `end`)',
    }),
    plan_only: z
      .boolean()
      .optional()
      .meta({ description: 'whether the run ends when the plan is made, without running it' }),
  })
  .strict();
export type PlanConfig = z.infer<typeof planConfigSchema>;

/** Origin of a plan for a request, and its author's remarks. */
export const planningSchema = z.object({
  planned_by: z.enum(['rules', 'model']),
  understanding: z.string().nullable(),
  outputs: z
    .array(z.object({ task: z.string(), description: z.string() }))
    .meta({ description: 'files that the user receives, by the task that writes them' }),
  assumptions: z.array(z.string()),
  missing: z
    .array(z.string())
    .meta({ description: 'parts of the request that neither the inputs nor the tools provide' }),
});
export type Planning = z.infer<typeof planningSchema>;

/** Result of one attempt at a plan step. */
export const planTaskResultSchema = z.object({
  task_id: z.string(),
  tool: z.string(),
  layer: z.number().int(),
  status: z.enum(['completed', 'failed', 'skipped']),
  /** The result if it is small; null if it is in the object store or does not exist. */
  result: z.unknown(),
  result_key: z.string().nullable(),
  bytes: z.number().int(),
  /** The beginning of the result as JSON, for people. */
  preview: z.string(),
  entries: z.number().int().optional().meta({
    description: 'number of entries of a result that is or contains a list, such as the rows of a table',
  }),
  error: taskErrorSchema.nullable(),
  failed_items: z.number().int().optional().meta({ description: 'items of a `map` whose call failed' }),
  interrupted_items: z.array(z.number().int()).optional().meta({
    description: 'positions of the items of a `map` whose call got no answer and may have taken effect',
  }),
  at: z.string(),
});
export type PlanTaskResult = z.infer<typeof planTaskResultSchema>;

/** Decision of an agent or a person, or the default. */
export const planDecisionSchema = z.object({
  type: z.enum(['ail', 'hil', 'outcome', 'command']),
  action: z.enum([
    'continue',
    'abort',
    'replan_dag',
    'request_decision',
    'approve',
    'reject',
    'repeat',
    'done',
    'failed',
  ]),
  by: z.enum(['client', 'model', 'default']),
  checkpoint_id: z.string().nullable(),
  reason: z.string().nullable(),
  at: z.string(),
});
export type PlanDecision = z.infer<typeof planDecisionSchema>;

const reason = z.string().max(2_000);
const requirement = z.string().min(1).max(2_000);
const availableContext = z.record(z.string(), z.unknown());

/** Possible answers about an interrupted call. */
export const outcomeActions = ['repeat', 'done', 'failed', 'abort'] as const;

/** Position of an item of a `map`, as a key. */
export const itemPosition = z.string().regex(/^\d{1,5}$/);

/** What a person says about the interrupted items of a `map`, by position; runs of older releases have an `action` for the others. */
export const itemOutcomesSchema = z.object({
  action: z.enum(['repeat', 'done', 'failed']).optional(),
  items: z.record(itemPosition, z.enum(['repeat', 'done', 'failed'])).optional(),
});
export type ItemOutcomes = z.infer<typeof itemOutcomesSchema>;

/** Answer about an interrupted call. */
export const outcomeAnswerSchema = z
  .object({
    action: z.enum(outcomeActions).meta({
      description:
        'repeat the call, mark the task as done with the result null, mark it as failed, or end the plan',
    }),
    items: itemOutcomesSchema.shape.items.meta({
      description:
        'of a `map`: the answer for single interrupted items, by position; `action` is for the others',
    }),
    reason: reason.optional(),
  })
  .strict();

/** Commands to a running plan (P4). */
export const planCommandSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('continue') }).strict(),
  z.object({ type: z.literal('abort'), reason: reason.default('') }).strict(),
  z
    .object({
      type: z.literal('replan_dag'),
      new_requirement: requirement,
      available_context: availableContext.default({}),
    })
    .strict(),
  z
    .object({
      type: z.literal('approval_response'),
      checkpoint_id: z.string().min(1).max(100),
      approved: z.boolean(),
      feedback: reason.optional(),
      arguments: z
        .record(z.string(), z.record(z.string(), z.unknown()))
        .optional()
        .meta({ description: 'arguments for tasks of the next layer, which replace the planned ones' }),
    })
    .strict(),
  z
    .object({ type: z.literal('request_decision'), reason: reason.default('') })
    .strict()
    .meta({
      description:
        'asks the agent for a decision before the next layer, also if `decision_points` is `manual`',
    }),
]);
export type PlanCommand = z.infer<typeof planCommandSchema>;

/** The answer to a decision point of an agent (P1). */
export const agentAnswerSchema = z
  .object({
    action: z.enum(['continue', 'abort', 'replan_dag']),
    reason: reason.optional(),
    new_requirement: requirement.optional(),
    available_context: availableContext.optional(),
  })
  .strict()
  .refine((answer) => (answer.action === 'replan_dag') === (answer.new_requirement !== undefined), {
    path: ['new_requirement'],
    message: 'is required for the action replan_dag, and only allowed with it',
  });
export type AgentAnswer = z.infer<typeof agentAnswerSchema>;

/** The answer to a request for approval (P5). */
export const approvalAnswerSchema = z
  .object({
    approved: z.boolean(),
    feedback: reason.optional(),
    arguments: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  })
  .strict();
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>;

/** Next plan step, as clients see it. */
const taskPreviewSchema = z.object({
  task_id: z.string(),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  resolved: z.record(z.string(), z.unknown()).optional().meta({
    description:
      'arguments with the values of earlier results, without secrets; absent if none is used, or if the approval would exceed 200,000 characters',
  }),
  calls: z.array(z.record(z.string(), z.unknown()).nullable()).optional().meta({
    description:
      'of a `map` with side effects: the arguments of the call for each item, without secrets; null if an item lacks a value. In an answer, the arguments `skip` (positions) and `replace` (arguments by position) leave out and change single calls',
  }),
  side_effects: z.boolean(),
  purpose: z.string().optional(),
  missing: z.array(z.string()).meta({ description: 'arguments that are required before it can run' }),
});

/** Details of a plan's questions (P2). */
export const planPauseSchema = z.object({
  checkpoint_id: z.string(),
  completed_layer: z.number().int(),
  completed: z.array(z.string()),
  results: z.array(
    planTaskResultSchema.pick({
      ...{ task_id: true, tool: true, status: true, preview: true, error: true, interrupted_items: true },
    }),
  ),
  next_layer: z.array(taskPreviewSchema),
  options: z.array(z.string()),
});
export type PlanPause = z.infer<typeof planPauseSchema>;
