import { z } from 'zod';
import { decisionRequestSchema } from './decisions.js';
import { taskErrorSchema } from '#contracts/task-error.js';
import { runKinds, type productKinds, findRunKind } from './registry.js';
import type { TaskDefinition } from '#contracts/run-kind.js';
import type { QueueName } from '#contracts/queues.js';
import { runBudgetSchema } from '#contracts/budgets.js';
import { runStatusSchema } from '#contracts/runs.js';

/**
 * A run of any kind that a node starts, in its parent's session. It gets the requested part of the parent's
 * budget, or by default a share of the rest.
 */
export const childRunSchema = z.object({
  kind: z.string(),
  mode: z.string().nullable().default(null),
  inputs: z.record(z.string(), z.unknown()).default({}),
  budget: runBudgetSchema.default({}),
});
export type ChildRun = z.infer<typeof childRunSchema>;

/** Result of a completed or rejected child run; a failed or cancelled child is a failed task. */
const childRunResultSchema = z.object({
  run_id: z.string(),
  status: runStatusSchema,
  /** Reason for a rejection. */
  error: taskErrorSchema.nullable(),
  /** Final result as its kind defines it. */
  result: z.record(z.string(), z.unknown()),
});

/**
 * Returns why a child run cannot be started: its kind does not accept the mode or inputs. Null if it can be
 * started, or if its kind is unknown here.
 */
export function childRunProblem({ kind: name, mode, inputs }: ChildRun): string | null {
  const kind = findRunKind(name);
  if (!kind) return null;
  if (mode !== null && !kind.modes.includes(mode)) return `Runs of kind ${name} have no mode ${mode}.`;
  const issue = kind.inputs.safeParse(inputs).error?.issues[0];
  return issue ? `inputs.${issue.path.join('.')}: ${issue.message}` : null;
}

/** Tasks that nodes of any kind can use. */
const coreTasks = {
  /** D18–D20: a person answers a question (see decisions.ts). */
  human_input: {
    queue: 'human-input',
    input: decisionRequestSchema,
    output: z.record(z.string(), z.unknown()),
    timeoutMs: 0,
    attempts: 1,
  },
  /** A child run of any kind: its end completes the task, so a job is not needed. */
  run: {
    queue: 'agent-runner',
    input: childRunSchema,
    output: childRunResultSchema,
    timeoutMs: 0,
    attempts: 1,
  },
} as const satisfies Record<string, TaskDefinition>;

type Kinds = typeof productKinds;
type Merged<U> = (U extends unknown ? (of: U) => void : never) extends (of: infer I) => void ? I : never;
type Tasks = typeof coreTasks & Merged<Kinds[keyof Kinds]['tasks']>;

/**
 * The task catalogue: what a graph node can delegate to a worker or a person. A worker app refuses to start
 * if a task of its queue has no handler, and the types of handlers come from here. The contract of a kind
 * defines its tasks.
 */
export const tasks: Tasks = Object.assign({}, coreTasks, ...runKinds().map((kind) => kind.tasks));

export type TaskName = keyof Tasks;
/** Input as a worker receives it. */
export type TaskInput<N extends TaskName> = z.infer<Tasks[N]['input']>;
/** Input as a node passes it; fields with a default are optional. */
export type TaskOrder<N extends TaskName> = z.input<Tasks[N]['input']>;
export type TaskOutput<N extends TaskName> = z.infer<Tasks[N]['output']>;

/** Returns the tasks that workers of a queue must handle. */
export function tasksOfQueue(queue: QueueName): TaskName[] {
  return (Object.keys(tasks) as TaskName[]).filter((name) => tasks[name].queue === queue);
}

/** Argument of `interrupt()`: the task that a node delegates. */
export interface TaskRequest<N extends TaskName = TaskName> {
  task: N;
  input: TaskOrder<N>;
}

/** Result of a task. A failure is a result, too; the graph's error route handles it. */
export const taskResultSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    output: z.record(z.string(), z.unknown()),
    /** Set if a decision was answered: the decision, the API key's ID or `deadline`, and the time. */
    answered: z.object({ decision_id: z.string(), by: z.string(), at: z.iso.datetime() }).optional(),
  }),
  z.object({ ok: z.literal(false), error: taskErrorSchema }),
]);
export type TaskResult = z.infer<typeof taskResultSchema>;
