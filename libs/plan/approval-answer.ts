import type { DecisionRequest } from '#catalogue/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import { englishText, phrase } from '#contracts/phrases/phrase.js';
import type { AnswerContext } from '#engine/kind.js';
import {
  approvalAnswerSchema,
  MAX_ARGUMENT_BYTES,
  planPauseSchema,
  type ApprovalAnswer,
  type PlanPause,
} from './contract/values.js';
import { problemOfCalls } from './dag/progress.js';
import { problemsOfGiven } from './planner/check.js';
import { codeChecksFor, schemaChecksFor } from './store/tenant-checks.js';
import { platformCatalogue } from './tools/catalogue.js';

/**
 * P6: rejects an approval that cannot be executed. The question stays open.
 *
 * @throws ProblemError `invalid_answer`
 */
export async function checkApproval(
  answer: Record<string, unknown>,
  request: DecisionRequest,
  { tenantId }: Pick<AnswerContext, 'tenantId'>,
): Promise<Record<string, unknown>> {
  const { approved, arguments: edits = {} } = approvalAnswerSchema.parse(answer);
  const next = planPauseSchema.parse(request.details).next_layer;
  const errors = Object.keys(edits)
    .filter((id) => !next.some(({ task_id }) => task_id === id))
    .map((id) => ({ path: `arguments.${id}`, message: 'is not a task of the next layer' }));
  for (const { task_id, tool, arguments: planned, missing } of approved ? next : []) {
    const problem = problemOfCalls({ tool, arguments: { ...planned, ...edits[task_id] } });
    if (problem) errors.push({ path: `arguments.${task_id}`, message: englishText(problem) });
    if (Buffer.byteLength(JSON.stringify({ ...planned, ...edits[task_id] })) > MAX_ARGUMENT_BYTES)
      errors.push({ path: `arguments.${task_id}`, message: 'is too long' });
    for (const name of missing.filter((wanted) => !Object.hasOwn(edits[task_id] ?? {}, wanted)))
      errors.push({
        path: `arguments.${task_id}.${name}`,
        message: 'is required before the task can run',
      });
  }
  if (errors.length === 0 && approved) errors.push(...(await editErrors(next, edits, tenantId)));
  if (errors.length > 0)
    throw new ProblemError('invalid_answer', phrase('invalid_answer.plan_arguments'), errors);
  return answer;
}

const platformTools = new Map(platformCatalogue.map((tool) => [tool.name, tool]));

/** Returns why changed arguments would make a task fail, such as a query that cannot be read. */
async function editErrors(
  next: PlanPause['next_layer'],
  edits: NonNullable<ApprovalAnswer['arguments']>,
  tenantId: string,
): Promise<{ path: string; message: string }[]> {
  const [schemas, codes] = [schemaChecksFor(tenantId), codeChecksFor(tenantId)];
  const edited = next.filter(({ task_id, tool }) => edits[task_id] && platformTools.has(tool));
  const found = edited.map(async ({ task_id: id, tool, arguments: planned }) => {
    const task = { id, tool, arguments: { ...planned, ...edits[id] }, depends_on: [] };
    const known = { tools: platformTools, inputs: [], schemas, codes };
    const problems = await problemsOfGiven([task], known);
    return problems.map(({ message }) => ({ path: `arguments.${id}`, message }));
  });
  return (await Promise.all(found)).flat();
}
