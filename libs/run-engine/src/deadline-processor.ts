import { decisionRequestSchema } from '#contracts/decisions.js';
import { taskJobSchema } from '#contracts/jobs.js';
import type { JobProcessor } from '#queue/job-worker.js';
import { completeDecision } from './decisions/complete-decision.js';
import type { Engine } from './engine.js';

/**
 * Does the jobs of the queue `human-input`. A job gets here when it was promoted by an answer (nothing is left to do) or when its
 * deadline has come: then the default applies through the same door as an answer. Promoted by hand without an answer, the
 * task stays open and the reconciler delays it anew.
 */
export function deadlineProcessor(engine: Engine): JobProcessor {
  return {
    async process(job) {
      await applyDefault(engine, taskJobSchema.parse(job.data).task_id);
    },
  };
}

/** Answers a person's task with its default when its deadline has passed; false when there was nothing to do. */
export async function applyDefault(engine: Engine, taskId: string): Promise<boolean> {
  const rows = await engine.db.$queryRaw<{ input: unknown; run_id: string }[]>`
    SELECT input, run_id FROM tasks WHERE id = ${taskId} AND status = 'pending' AND deadline <= now()`;
  const row = rows[0];
  if (!row) return false;
  const request = decisionRequestSchema.parse(row.input);
  return completeDecision(engine, { id: taskId, runId: row.run_id }, request.default_answer, 'deadline');
}
