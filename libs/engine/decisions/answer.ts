import { decisionRequestSchema } from '#catalogue/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { taskJobSchema } from '#contracts/queues.js';
import { auditCte, markAudited } from '#db/repositories/audit.js';
import { DecisionRepository, type DecisionRow } from '#db/repositories/decisions.js';
import { isDeepStrictEqual } from 'node:util';
import type { Engine } from '../engine.js';
import { rememberAnswer, resolveAnswer, type GivenAnswer } from './resolve-answer.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import { statementsIn } from '#db/statements.js';
import type { JobProcessor } from '../queue/job-worker.js';
import { afterCompletion, writeCompletion, type Completion } from '../tasks/complete.js';

/** The columns of a decision that an answer needs. */
interface OpenDecision {
  id: string;
  runId: string;
}

/**
 * CTEs of the answer's statement: they write the audit log's entry (who, when, the answer and its hash, X3) and that of
 * the request, and end the links by which the decision could be answered.
 */
const audited = (by: string, decisionId: string) => Prisma.sql`
    audited AS (
      INSERT INTO audit_log (tenant_id, actor, action, resource, outcome, details)
      SELECT tenant_id, ${by}, 'decisionAnswered', id, 'done',
             jsonb_build_object('answer', output, 'sha256', encode(sha256(convert_to(output::text, 'UTF8')), 'hex'))
      FROM task
    )${auditCte('answerDecision', decisionId, Prisma.sql`task`)},
    ended AS (DELETE FROM links USING task WHERE links.decision_id = task.id),`;

/**
 * CTE that marks the early answers that an answer consists of. Without it, a crash after the answer would
 * leave them waiting forever.
 */
const marked = (early: readonly string[]) => Prisma.sql`
    marked AS (
      UPDATE early_answers early SET status = 'applied', decision_id = task.id
      FROM task
      WHERE early.id = ANY(${early}::text[]) AND early.tenant_id = task.tenant_id AND early.status = 'waiting'
    ),`;

/**
 * Returns the completion of a decision, with its event, its audit entry and the mark on its early answers.
 */
function completionOf(
  decision: OpenDecision,
  answer: Record<string, unknown>,
  by: string,
  { condition, early = [] }: { condition?: Prisma.Sql; early?: readonly string[] } = {},
): Completion {
  const audit = audited(by, decision.id);
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
    alongside: early.length === 0 ? audit : Prisma.sql`${audit}${marked(early)}`,
    ...(condition ? { condition } : {}),
  };
}

/**
 * Answers a decision, with its event and its audit entry.
 *
 * @param by the ID of an API key or a link, or `deadline`
 * @param early IDs of the early answers that the answer consists of
 * @returns when; null if it was already answered or cancelled: nothing was changed then
 */
export async function completeDecision(
  engine: Engine,
  decision: OpenDecision,
  answer: Record<string, unknown>,
  by: string,
  early: readonly string[] = [],
): Promise<Date | null> {
  const row = await writeCompletion(engine.db.$statement, completionOf(decision, answer, by, { early }));
  if (!row) return null;
  markAudited('answerDecision');
  await afterCompletion(engine, decision.id, row);
  return row.completed_at!;
}

/**
 * Accepts a person's answer, given in time or early. The first answer wins, repeating it changes nothing, a
 * different one is rejected. With a quorum, the answer is a vote (X3).
 *
 * @param apiKeyId the key of the person who answers
 * @returns the decision after the answer
 * @throws ProblemError `invalid_answer`, `decision_answered`, `decision_stale`
 */
export async function answerDecision(
  engine: Engine,
  decision: DecisionRow,
  given: GivenAnswer,
  apiKeyId: string,
): Promise<DecisionRow> {
  const answer = await resolveAnswer(engine, decision, given);
  const record = decision.quorum > 1 ? castVote : completeDecision;
  const outcome = await record(engine, decision, answer, apiKeyId, given.early);
  if (outcome instanceof Date) await rememberAnswer(engine, decision, answer);
  // Only the votes of others, and what happened before, have to be read.
  if (outcome instanceof Date && decision.quorum === 1)
    return {
      ...decision,
      status: 'completed',
      output: answer as DecisionRow['output'],
      completedBy: apiKeyId,
      completedAt: outcome,
    };
  const now = await new DecisionRepository(engine.db).find(decision.tenantId, decision.id);
  if (!now) throw new ProblemError('not_found', phrase('not_found.decision_deleted'));
  if (outcome !== null) return now;
  if (now.status !== 'completed')
    throw new ProblemError('decision_stale', phrase('decision_stale.not_waiting'));
  if (isDeepStrictEqual(now.output, answer)) return now;
  throw new ProblemError('decision_answered', phrase('decision_answered.different'));
}

/** Milliseconds that a vote may wait for a connection while other votes are counted. */
const TIMEOUT_MS = 10_000;

/**
 * Counts the answer of an API key to a decision with a quorum. A key has one vote and may change it until the
 * quorum is met. The vote that meets it completes the decision in the same transaction (X3).
 *
 * @param early IDs of the early answers that the vote consists of; they are marked in the same transaction
 * @returns when, if this vote completed the decision; null if it was not pending: then nothing was changed
 */
async function castVote(
  engine: Engine,
  decision: OpenDecision,
  answer: Record<string, unknown>,
  apiKeyId: string,
  early: readonly string[] = [],
): Promise<Date | 'voted' | null> {
  const vote = toJsonb(answer);
  const isAgreed = Prisma.sql`
    quorum <= (SELECT count(*) FROM decision_votes v WHERE v.decision_id = tasks.id AND v.answer = ${vote}::jsonb)`;
  const counted = await engine.db.$transaction(
    async (tx) => {
      // Count one vote per run at a time, so that each sees all earlier votes.
      await tx.$queryRaw`SELECT id FROM runs WHERE id = ${decision.runId} FOR NO KEY UPDATE`;
      const cast = await tx.$executeRaw`
        /* cast vote */ INSERT INTO decision_votes (decision_id, api_key_id, tenant_id, answer)
        SELECT id, ${apiKeyId}, tenant_id, ${vote}::jsonb FROM tasks WHERE id = ${decision.id} AND status = 'pending'
        ON CONFLICT (decision_id, api_key_id) DO UPDATE SET answer = EXCLUDED.answer, voted_at = now()
          WHERE decision_votes.answer <> EXCLUDED.answer`;
      const row = await writeCompletion(
        statementsIn(tx),
        completionOf(decision, answer, apiKeyId, { condition: isAgreed, early }),
      );
      const isOpen = cast > 0 || (await isPending(tx, decision.id));
      if (isOpen && !row && early.length > 0) await markVoted(tx, decision.id, early);
      return { isOpen, row };
    },
    { maxWait: TIMEOUT_MS, timeout: TIMEOUT_MS },
  );
  if (!counted.row) return counted.isOpen ? 'voted' : null;
  markAudited('answerDecision');
  await afterCompletion(engine, decision.id, counted.row);
  return counted.row.completed_at!;
}

async function isPending(tx: Pick<Engine['db'], '$queryRaw'>, decisionId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM tasks WHERE id = ${decisionId} AND status = 'pending'`;
  return rows.length > 0;
}

async function markVoted(
  tx: Pick<Engine['db'], '$executeRaw'>,
  decisionId: string,
  early: readonly string[],
): Promise<void> {
  await tx.$executeRaw`
    /* mark early vote */ UPDATE early_answers SET status = 'applied', decision_id = ${decisionId}
    WHERE id = ANY(${early}::text[]) AND status = 'waiting'`;
}

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
  const decision = { id: taskId, runId: row.run_id };
  return (await completeDecision(engine, decision, request.default_answer, 'deadline')) !== null;
}
