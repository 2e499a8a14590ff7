import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { DecisionRepository, type DecisionRow } from '#db/repositories/decisions.js';
import { isDeepStrictEqual } from 'node:util';
import type { Engine } from '../engine.js';
import { completeDecision } from './complete-decision.js';
import { rememberAnswer, resolveAnswer, type GivenAnswer } from './resolve-answer.js';
import { castVote } from './votes.js';

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
  const outcome = await recordAnswer(engine, decision, answer, apiKeyId, given.early);
  const now = await new DecisionRepository(engine.db).find(decision.tenantId, decision.id);
  if (!now) throw new ProblemError('not_found', phrase('not_found.decision_deleted'));
  if (outcome === 'answered') await rememberAnswer(engine, now, answer);
  if (outcome !== 'closed') return now;
  if (now.status !== 'completed')
    throw new ProblemError('decision_stale', phrase('decision_stale.not_waiting'));
  if (isDeepStrictEqual(now.output, answer)) return now;
  throw new ProblemError('decision_answered', phrase('decision_answered.different'));
}

async function recordAnswer(
  engine: Engine,
  decision: DecisionRow,
  answer: Record<string, unknown>,
  apiKeyId: string,
  early?: readonly string[],
): Promise<'answered' | 'voted' | 'closed'> {
  if (decision.quorum > 1) return castVote(engine, decision, answer, apiKeyId, early);
  return (await completeDecision(engine, decision, answer, apiKeyId, early)) ? 'answered' : 'closed';
}
