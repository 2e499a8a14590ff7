import { decisionRequestSchema, type DecisionRequest } from '#contracts/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import { DecisionRepository, type DecisionRow } from '#db/repositories/decisions.js';
import {
  EarlyAnswerRepository,
  type EarlyAnswer,
  type NewEarlyAnswer,
} from '#db/repositories/early-answers.js';
import { isDeepStrictEqual } from 'node:util';
import type { Engine } from '../engine.js';
import { answerDecision } from './answer.js';

/** Runs per round of the reconciler whose early answers are looked at. */
const BATCH = 100;

/**
 * Keeps an answer that comes before its question (X3), and puts it to the question when that is open already.
 *
 * @throws ProblemError `decision_answered` when the run has another answer to the same question; `run_finished`
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
      throw new ProblemError('run_finished', 'The run has ended; it asks nothing any more.');
    if (!isDeepStrictEqual(kept.answer, early.answer))
      throw new ProblemError('decision_answered', 'The first answer counts; GET the answers to see it.');
    return kept;
  }
  await applyEarlyAnswers(engine, tenantId, early.runId);
  return (await answers.latest(tenantId, early))!;
}

/**
 * Puts the waiting answers of a run to its open questions, through the same door as any other answer. One that does not fit
 * is kept as not applicable, and the question stays open. Whoever commits second, answer or question, calls this after
 * its commit and so sees the other.
 */
export async function applyEarlyAnswers(engine: Engine, tenantId: string, runId: string): Promise<void> {
  const all = await new EarlyAnswerRepository(engine.db).list(tenantId, runId);
  const waiting = all.filter(({ status }) => status === 'waiting');
  if (waiting.length === 0) return;
  for (const decision of await new DecisionRepository(engine.db).open(tenantId, [runId])) {
    const request = decisionRequestSchema.parse(decision.input);
    const chosen = answersFor(request, waiting);
    if (chosen) await put(engine, decision, chosen);
  }
}

/** Early answers of runs that wait at a question: those whose process died before it put them to it. */
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

/** The waiting answer to a question: a whole one, or the choices for all of its references; null when there is none. */
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
    // Those that came after an equal answer are still waiting.
    await answers.settle(decision.tenantId, ids, decision.id, 'applied', null);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const details = (error.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
    const reason = [error.detail, ...details].join(' ').slice(0, 1_000);
    await answers.settle(decision.tenantId, ids, decision.id, 'not_applicable', reason);
  }
}
