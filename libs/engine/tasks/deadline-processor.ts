import { decisionRequestSchema } from '#catalogue/decisions.js';
import { taskJobSchema } from '#contracts/queues.js';
import type { JobProcessor } from '../queue/job-worker.js';
import { completeDecision } from '../decisions/answer.js';
import type { Engine } from '../engine.js';

/**
 * Processes jobs of the queue `human-input`. A job becomes active when an answer promoted it (nothing is left
 * to do) or at its deadline (the default answer applies). If the job was promoted by hand without an answer,
 * the task stays pending and the reconciler adds a delayed job again.
 */
export function deadlineProcessor(engine: Engine): JobProcessor {
  return {
    async process(job) {
      await applyDefault(engine, taskJobSchema.parse(job.data).task_id);
    },
  };
}

/** Answers a decision with its default after its deadline; returns false if it is not pending or not due. */
export async function applyDefault(engine: Engine, taskId: string): Promise<boolean> {
  const rows = await engine.db.$queryRaw<{ input: unknown; run_id: string }[]>`
    SELECT input, run_id FROM tasks WHERE id = ${taskId} AND status = 'pending' AND deadline <= now()`;
  const row = rows[0];
  if (!row) return false;
  const request = decisionRequestSchema.parse(row.input);
  return completeDecision(engine, { id: taskId, runId: row.run_id }, request.default_answer, 'deadline');
}
