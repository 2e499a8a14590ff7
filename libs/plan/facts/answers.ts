import type { DecisionRequest } from '#contracts/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { approvalAnswerSchema, planPauseSchema } from '../contract/values.js';

/**
 * P6: rejects an approval that cannot be executed. The question stays open.
 *
 * @throws ProblemError `invalid_answer`
 */
export function checkApproval(
  answer: Record<string, unknown>,
  request: DecisionRequest,
): Promise<Record<string, unknown>> {
  const { approved, arguments: edits = {} } = approvalAnswerSchema.parse(answer);
  const next = planPauseSchema.parse(request.details).next_layer;
  const errors = Object.keys(edits)
    .filter((id) => !next.some(({ task_id }) => task_id === id))
    .map((id) => ({ path: `arguments.${id}`, message: 'is not a task of the next layer' }));
  for (const { task_id, missing } of approved ? next : []) {
    for (const name of missing.filter((wanted) => !Object.hasOwn(edits[task_id] ?? {}, wanted)))
      errors.push({
        path: `arguments.${task_id}.${name}`,
        message: 'is required before the task can run',
      });
  }
  if (errors.length > 0)
    throw new ProblemError('invalid_answer', phrase('invalid_answer.plan_arguments'), errors);
  return Promise.resolve(answer);
}
