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

/** The mark of the early answers that an answer is made of: without it, a process that dies behind the answer leaves them waiting for ever. */
const marked = (early: readonly string[]) => Prisma.sql`
    marked AS (
      UPDATE early_answers early SET status = 'applied', decision_id = task.id
      FROM task
      WHERE early.id = ANY(${early}::text[]) AND early.tenant_id = task.tenant_id AND early.status = 'waiting'
    ),`;

/** The completion of a question, with its event, its entry in the audit log and the mark of the early answers that it is made of. */
export function completionOf(
  decision: OpenDecision,
  answer: Record<string, unknown>,
  by: string,
  { condition, early = [] }: { condition?: Prisma.Sql; early?: readonly string[] } = {},
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
    alongside: early.length === 0 ? audited(by) : Prisma.sql`${audited(by)}${marked(early)}`,
    ...(condition ? { condition } : {}),
  };
}

/**
 * Answers a question through the one door, with its event and its entry in the audit log.
 *
 * @param by an API key's id, or `deadline`
 * @param early ids of the early answers that it is made of
 * @returns false when it was already answered or cancelled; nothing was changed then
 */
export async function completeDecision(
  engine: Engine,
  decision: OpenDecision,
  answer: Record<string, unknown>,
  by: string,
  early: readonly string[] = [],
): Promise<boolean> {
  const row = await writeCompletion(engine.db.$statement, completionOf(decision, answer, by, { early }));
  if (!row) return false;
  await afterCompletion(engine, decision.id, row);
  return true;
}
