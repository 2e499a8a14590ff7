import {
  taskResultSchema,
  tasks,
  type TaskName,
  type TaskOrder,
  type TaskOutput,
  type TaskResult,
} from '#contracts/tasks.js';
import { interrupt } from '@langchain/langgraph';

type Answered = NonNullable<Extract<TaskResult, { ok: true }>['answered']>;

/** How a remote task ended: its output, with who answered when it was a question; or why it failed for good. */
export type RemoteOutcome<N extends TaskName> =
  | { ok: true; output: TaskOutput<N>; answered?: Answered }
  | { ok: false; error: { code: string; message: string } };

/**
 * Asks another worker, or a person, to do a task. The first time the
 * graph stops here; when the result is in, the node runs again from its top and gets it. So a node calls this once and
 * has no effect before it.
 */
export function runRemotely<N extends TaskName>(task: N, input: TaskOrder<N>): RemoteOutcome<N> {
  const result = taskResultSchema.parse(interrupt({ task, input }));
  if (!result.ok) return result;
  const output = tasks[task].output.parse(result.output) as TaskOutput<N>;
  return { ok: true, output, ...(result.answered ? { answered: result.answered } : {}) };
}
