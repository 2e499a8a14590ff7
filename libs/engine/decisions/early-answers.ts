import { decisionRequestSchema, type DecisionRequest } from '#catalogue/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import {
  DecisionRepository,
  type DecisionRow,
  EarlyAnswerRepository,
  type EarlyAnswer,
  type NewEarlyAnswer,
} from '#db/repositories/decisions.js';
import { isDeepStrictEqual } from 'node:util';
import type { Engine } from '../engine.js';
import { answerDecision } from './answer.js';

/** Maximum runs per round whose early answers the reconciler applies. */
const BATCH = 100;

/**
 * Stores an answer that arrives before its question (X3), and applies it if the question is already open.
 *
 * @throws ProblemError `decision_answered` if the run has a different answer to the same question;
 *   `run_finished`
 */
export async function keepEarlyAnswer(
  engine: Engine,
  tenantId: string,
  early: NewEarlyAnswer,
): Promise<EarlyAnswer> {
  const answers = new EarlyAnswerRepository(engine.db);
  const isNew = await answers.add(tenantId, early);
  const kept = await answers.latest(tenantId, early);
  if (!isNew) {
    if (!kept || kept.status === 'not_applicable')
      throw new ProblemError('run_finished', phrase('run_finished.no_more_questions'));
    if (!isDeepStrictEqual(kept.answer, early.answer))
      throw new ProblemError('decision_answered', phrase('decision_answered.early'));
    return kept;
  }
  await applyEarlyAnswers(engine, tenantId, early.runId);
  return (await answers.latest(tenantId, early))!;
}

/**
 * Applies a run's waiting early answers to its open questions, like any other answer. An answer that does not
 * fit is marked as not applicable, and the question stays open. Both sides, answer and question, call this
 * after their commit, so the later one sees the other.
 */
export async function applyEarlyAnswers(engine: Engine, tenantId: string, runId: string): Promise<void> {
  const answers = new EarlyAnswerRepository(engine.db);
  if (!(await answers.isAnyWaiting(tenantId, runId))) return;
  const waiting = (await answers.list(tenantId, runId)).filter(({ status }) => status === 'waiting');
  for (const decision of await new DecisionRepository(engine.db).open(tenantId, [runId])) {
    const request = decisionRequestSchema.parse(decision.input);
    const chosen = answersFor(request, waiting);
    if (chosen) await put(engine, decision, chosen);
  }
}

/**
 * Applies early answers to questions that have been open for 2 s: the process that should have applied them
 * died.
 */
export async function applyForgottenAnswers(engine: Engine): Promise<number> {
  const runs = await engine.db.$queryRaw<{ id: string; tenant_id: string }[]>`
    SELECT DISTINCT t.run_id AS id, t.tenant_id
    FROM early_answers e JOIN tasks t ON t.run_id = e.run_id AND t.status = 'pending' AND t.queue = 'human-input'
      AND t.input->>'decision_type' = e.decision_type AND t.created_at < now() - make_interval(secs => 2)
    WHERE e.status = 'waiting' AND e.created_at < now() - make_interval(secs => 2) LIMIT ${BATCH}`;
  for (const run of runs) await applyEarlyAnswers(engine, run.tenant_id, run.id);
  return runs.length;
}

interface Chosen {
  ids: string[];
  answer: Record<string, unknown>;
  by: string;
}

/**
 * Returns the waiting answer to a question, either a complete one or the choices for all its references;
 * otherwise null.
 */
function answersFor(request: DecisionRequest, waiting: EarlyAnswer[]): Chosen | null {
  const ofKind = waiting.filter(({ decisionType }) => decisionType === request.decision_type);
  const whole = ofKind.find(({ ref }) => ref === null);
  if (whole)
    return {
      ids: [whole.id],
      answer: whole.answer as Record<string, unknown>,
      by: whole.answeredBy,
    };
  const choices = request.references.map(({ ref }) => ofKind.find((early) => early.ref === ref));
  const known = choices.filter((early) => early !== undefined);
  if (known.length === 0 || known.length < choices.length) return null;
  const userDecisions = Object.fromEntries(known.map(({ ref, answer }) => [ref, answer]));
  return {
    ids: known.map(({ id }) => id),
    answer: { user_decisions: userDecisions },
    by: known.at(-1)!.answeredBy,
  };
}

async function put(engine: Engine, decision: DecisionRow, { ids, answer, by }: Chosen): Promise<void> {
  const answers = new EarlyAnswerRepository(engine.db);
  try {
    await answerDecision(engine, decision, { body: answer, uploads: new Map(), early: ids }, by);
    // Early answers that follow an equal answer are still waiting.
    await answers.settle(decision.tenantId, ids, decision.id, 'applied', null);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const details = (error.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
    const reason = [error.detail, ...details].join(' ').slice(0, 1_000);
    await answers.settle(decision.tenantId, ids, decision.id, 'not_applicable', reason);
  }
}
