import { z } from 'zod';
import { childRunResultSchema, childRunSchema } from './child-runs.js';
import { decisionRequestSchema } from './decisions.js';
import { runKinds, type productKinds } from './kinds/registry.js';
import type { TaskDefinition } from './kinds/run-kind.js';
import type { QueueName } from './queues.js';

/** Tasks that a node of any kind may ask for. */
const coreTasks = {
  /** D18–D20: a person answers; see decisions.ts for the kinds of question. */
  human_input: {
    queue: 'human-input',
    input: decisionRequestSchema,
    output: z.record(z.string(), z.unknown()),
    timeoutMs: 0,
    attempts: 1,
  },
  /** A whole run of any kind: its end completes the task, so that no job is made of it. */
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
 * THE task catalogue: what a graph node may ask another worker (or a person) to do. A worker app refuses to start
 * when a task of its queue has no handler, and a handler's types come from here. The tasks of a kind stand in its contract
 * (`kinds/`).
 */
export const tasks: Tasks = Object.assign({}, coreTasks, ...runKinds().map((kind) => kind.tasks));

export type TaskName = keyof Tasks;
/** As a worker gets it. */
export type TaskInput<N extends TaskName> = z.infer<Tasks[N]['input']>;
/** As a node asks for it: what has a default may be left out. */
export type TaskOrder<N extends TaskName> = z.input<Tasks[N]['input']>;
export type TaskOutput<N extends TaskName> = z.infer<Tasks[N]['output']>;

/** The tasks that a machine of the given queue has to handle. */
export function tasksOfQueue(queue: QueueName): TaskName[] {
  return (Object.keys(tasks) as TaskName[]).filter((name) => tasks[name].queue === queue);
}

/** What a node passes to `interrupt()`: the task that another worker is asked to do. */
export interface TaskRequest<N extends TaskName = TaskName> {
  task: N;
  input: TaskOrder<N>;
}

/** How a task ended. A failure is a result too: the graph's error route decides. */
export const taskResultSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    output: z.record(z.string(), z.unknown()),
    /** With a question's answer: which decision it was, who answered (an API key's id, or `deadline`) and when. */
    answered: z.object({ decision_id: z.string(), by: z.string(), at: z.iso.datetime() }).optional(),
  }),
  z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) }),
]);
export type TaskResult = z.infer<typeof taskResultSchema>;
