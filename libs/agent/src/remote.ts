import { taskResultSchema, tasks, type TaskName, type TaskOrder, type TaskOutput } from '#contracts/tasks.js';
import { interrupt } from '@langchain/langgraph';

/** How a remote task ended: its output, or why it failed for good. */
export type RemoteOutcome<N extends TaskName> =
  { ok: true; output: TaskOutput<N> } | { ok: false; error: { code: string; message: string } };

/**
 * Asks another worker, or a person, to do a task. The first time the
 * graph stops here; when the result is in, the node runs again from its top and gets it. So a node calls this once and
 * has no effect before it.
 */
export function runRemotely<N extends TaskName>(task: N, input: TaskOrder<N>): RemoteOutcome<N> {
  const result = taskResultSchema.parse(interrupt({ task, input }));
  if (!result.ok) return result;
  return { ok: true, output: tasks[task].output.parse(result.output) as TaskOutput<N> };
}
