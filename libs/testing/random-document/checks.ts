import type { DecisionRequest } from '#catalogue/decisions.js';
import type { TaskInput } from '#catalogue/tasks.js';
import { parseWorkOrder } from '../read-work-order.js';
import { type AnsweredTask, type HarnessRun } from '../graph-harness.js';
import { HumanMessage } from '@langchain/core/messages';
import { NAMES, STEP_CAP } from './world.js';

const isAccept = ({ request, result }: AnsweredTask) =>
  request.task === 'human_input' && result.ok && result.output.action === 'accept';
const isPass = ({ request, result }: AnsweredTask) =>
  request.task === 'validate_md' && result.ok && result.output.validation_passed === true;

/** Returns the last validation before a task, and whether it passed or a person accepted its issues. */
function verdictBefore(tasks: AnsweredTask[], at: number) {
  const index = tasks.findLastIndex(
    ({ request }, position) => position < at && request.task === 'validate_md',
  );
  const validation = tasks[index];
  if (!validation) return null;
  const next = tasks[index + 1];
  const isAccepted = next !== undefined && index + 1 < at && isAccept(next);
  return {
    input: validation.request.input as TaskInput<'validate_md'>,
    isAccepted,
    holds: isPass(validation) || isAccepted,
  };
}

export function checkExports({ tasks }: HarnessRun): void {
  tasks.forEach(({ request }, at) => {
    if (request.task !== 'parse_to_json' && request.task !== 'convert') return;
    const verdict = verdictBefore(tasks, at);
    const { manuscript } = request.input as { manuscript: string };
    expect(verdict).toMatchObject({ holds: true, input: { manuscript, sources: NAMES } });
    if (request.task !== 'convert') return;
    const wasAccepted = tasks.slice(0, at).some(isAccept);
    const { coverage } = request.input as TaskInput<'convert'>;
    if (!wasAccepted) expect(coverage).toBe(1);
  });
}

/** Expects each validated checkpoint to follow a passed validation or a person's acceptance. */
export function checkCheckpoints(run: HarnessRun): void {
  const verdicts = run.events.filter(({ type }) => type === 'validation_ran').map(({ data }) => data.passed);
  const accepted = run.tasks.filter(isAccept).length;
  const validated = run.checkpoints.filter((checkpoint) => checkpoint.validated).length;
  for (const { manuscript } of run.checkpoints) expect(typeof manuscript).toBe('string');
  expect(validated).toBe(run.path.filter((node) => node === 'checkpoint').length);
  expect(validated).toBeLessThanOrEqual(verdicts.filter(Boolean).length + accepted);
  let passes = 0;
  run.path.forEach((node, at) => {
    if (node === 'validate_md') passes += 1;
    if (node !== 'checkpoint') return;
    const before = run.path[at - 1];
    expect(['validate_md', 'fix_decision']).toContain(before);
    if (before === 'validate_md') expect(verdicts[passes - 1]).toBe(true);
  });
}

export function checkCounters(run: HarnessRun): void {
  const orders = run.prompts.flatMap((messages) =>
    messages.flatMap((message) => (message instanceof HumanMessage ? [parseWorkOrder(message.text)] : [])),
  );
  for (const order of orders) {
    expect(order?.fix_attempts ?? 0).toBeLessThanOrEqual(3);
    expect(order?.conversion_attempts ?? 0).toBeLessThanOrEqual(3);
  }
  const { fix_attempts, conversion_attempts, agent_steps, questions_asked } = run.state;
  expect(fix_attempts).toBeLessThanOrEqual(3);
  expect(conversion_attempts).toBeLessThanOrEqual(3);
  expect(conversion_attempts).toBe(run.path.filter((node) => node === 'error_handler').length);
  expect(agent_steps).toBeLessThanOrEqual(STEP_CAP);
  expect(agent_steps).toBe(run.prompts.length);
  expect(questions_asked).toBeLessThanOrEqual(20);
  let failures = 0;
  for (const task of run.tasks.filter(({ request }) =>
    ['validate_md', 'human_input'].includes(request.task),
  )) {
    const isDecision = (task.request.input as Partial<DecisionRequest>).decision_type === 'fix_exhausted';
    if (isDecision) expect(failures).toBe(4);
    if (isDecision || isPass(task)) failures = 0;
    else if (task.request.task === 'validate_md') failures += 1;
    expect(failures).toBeLessThanOrEqual(4);
  }
}

export function checkEnd(run: HarnessRun): void {
  const { status, last_error, error_type, export_id, temp_md_path } = run.state;
  expect(['completed', 'failed']).toContain(status);
  if (status === 'completed') {
    expect(run.path.at(-1)).toBe('quality_check');
    expect(temp_md_path).not.toBeNull();
    expect(run.manuscript).not.toBe('');
    expect(export_id).not.toBeNull();
  } else {
    expect([typeof last_error, typeof error_type]).toEqual(['string', 'string']);
    expect(export_id).toBeNull();
  }
}
