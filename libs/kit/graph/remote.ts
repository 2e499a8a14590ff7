import type { TaskError } from '#contracts/task-error.js';
import {
  taskResultSchema,
  tasks,
  type TaskName,
  type TaskOrder,
  type TaskOutput,
  type TaskResult,
} from '#catalogue/tasks.js';
import { interrupt } from '@langchain/langgraph';

type Answered = NonNullable<Extract<TaskResult, { ok: true }>['answered']>;

/**
 * Outcome of a remote task: its output, with the person who answered if it was a decision, or its permanent
 * error.
 */
export type RemoteOutcome<N extends TaskName> =
  { ok: true; output: TaskOutput<N>; answered?: Answered } | { ok: false; error: TaskError };

/**
 * Delegates a task to another worker or a person. On the first call the graph stops here; when the result has
 * arrived, the node runs again from its start and this returns the result. So a node may call it only once
 * and must have no effects before the call.
 */
export function runRemotely<N extends TaskName>(task: N, input: TaskOrder<N>): RemoteOutcome<N> {
  const result = taskResultSchema.parse(interrupt({ task, input }));
  if (!result.ok) return result;
  const output = tasks[task].output.parse(result.output) as TaskOutput<N>;
  return { ok: true, output, ...(result.answered ? { answered: result.answered } : {}) };
}
