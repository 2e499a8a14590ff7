import { Prisma } from '#db/client.js';
import { afterCompletion, writeCompletion, type Completion } from '../complete.js';
import type { Engine } from '../engine.js';

/** A question of a run, as far as an answer needs it. */
export interface OpenDecision {
  id: string;
  runId: string;
}

/** The audit log's entry, in the statement that makes the answer count: who, when, the answer and its hash (X3). */
const audited = (by: string) => Prisma.sql`
    audited AS (
      INSERT INTO audit_log (tenant_id, actor, action, resource, outcome, details)
      SELECT tenant_id, ${by}, 'decisionAnswered', id, 'done',
             jsonb_build_object('answer', output, 'sha256', encode(sha256(convert_to(output::text, 'UTF8')), 'hex'))
      FROM task
    ),`;

/** The completion of a question, with its event and its entry in the audit log. */
export function completionOf(
  decision: OpenDecision,
  answer: Record<string, unknown>,
  by: string,
  condition?: Prisma.Sql,
): Completion {
  return {
    taskId: decision.id,
    runId: decision.runId,
    result: { ok: true, output: answer },
    by,
    event: {
      type: 'decision_answered',
      data: { decision_id: decision.id, by, answer },
      effectKey: `decision_answered/${decision.id}`,
    },
    alongside: audited(by),
    ...(condition ? { condition } : {}),
  };
}

/**
 * Answers a question through the one door, with its event and its entry in the audit log.
 *
 * @param by an API key's id, or `deadline`
 * @returns false when it was already answered or cancelled; nothing was changed then
 */
export async function completeDecision(
  engine: Engine,
  decision: OpenDecision,
  answer: Record<string, unknown>,
  by: string,
): Promise<boolean> {
  const row = await writeCompletion(engine.db.$statement, completionOf(decision, answer, by));
  if (!row) return false;
  await afterCompletion(engine, decision.id, row);
  return true;
}
