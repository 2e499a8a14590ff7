import type { TaskRequest, TaskResult } from '#catalogue/tasks.js';
import { Prisma, type Database } from '#db/client.js';
import type { StateSnapshot } from '@langchain/langgraph';

/** Interrupt of a node that waits for a task. */
export interface OpenInterrupt {
  id: string;
  node: string;
  checkpointId: string;
  request: TaskRequest;
}

interface DoneTask {
  id: string;
  queue: string;
  completed_by: string | null;
  completed_at: Date | null;
  interrupt_id: string;
  checkpoint_id: string;
  status: string;
  output: unknown;
  error: unknown;
}

/** Returns the interrupts of a stopped graph. */
export function openInterrupts(snapshot: StateSnapshot): OpenInterrupt[] {
  const checkpointId = String(snapshot.config.configurable?.checkpoint_id);
  return snapshot.tasks.flatMap((task) =>
    task.interrupts.map((interrupt) => ({
      id: interrupt.id!,
      node: task.name,
      checkpointId,
      request: interrupt.value as TaskRequest,
    })),
  );
}

/**
 * Returns the results that resume the open interrupts, by interrupt ID, read from PostgreSQL and never from
 * the queue.
 *
 * @returns null if no node waits; `incomplete` if a task is not done (or not written) yet
 */
export async function resumeValues(
  db: Database,
  runId: string,
  interrupts: OpenInterrupt[],
): Promise<Record<string, unknown> | null | 'incomplete'> {
  if (interrupts.length === 0) return null;
  const done = await db.$statement<DoneTask>(Prisma.sql`
    SELECT id, queue, completed_by, completed_at, interrupt_id, checkpoint_id, status, output, error FROM tasks
    WHERE run_id = ${runId} AND interrupt_id = ANY(${interrupts.map(({ id }) => id)}) AND status IN ('completed', 'failed')`);
  const values: Record<string, unknown> = {};
  for (const interrupt of interrupts) {
    const task = done.find(
      (row) => row.interrupt_id === interrupt.id && row.checkpoint_id === interrupt.checkpointId,
    );
    if (!task) return 'incomplete';
    values[interrupt.id] = resultOf(task);
  }
  return values;
}

function resultOf({
  id,
  queue,
  status,
  output,
  error,
  completed_by: by,
  completed_at: at,
}: DoneTask): TaskResult {
  if (status !== 'completed') return { ok: false, error: error as { code: string; message: string } };
  const isAnswer = queue === 'human-input' && by !== null && at !== null;
  return {
    ok: true,
    output: output as Record<string, unknown>,
    ...(isAnswer ? { answered: { decision_id: id, by, at: at.toISOString() } } : {}),
  };
}
