import { messageOf } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { runRemotely } from '#kit/graph/remote.js';
import {
  approvalAnswerSchema,
  type ApprovalAnswer,
  type PlanPause,
  type PlanTask,
} from '../../contract/values.js';
import { InvalidPlanError, layersOf } from '../../dag/dag.js';
import { originOf } from '../origin.js';
import type { PlanPorts } from '../ports.js';
import { newestResults } from '../../dag/attempts.js';
import { pauseOf, planUpdate, stepsByModel } from '../../dag/progress.js';
import { withResolvedArguments } from '../results.js';
import type { PlanMessage, PlanState, PlanUpdate } from '../state.js';
import { summarise } from '../summary.js';
import { decision, emitter, now, type PlanStep } from './context.js';

/** P5: asks a person to approve the next layer. Waiting occupies no worker. */
export function approveNode(ports: PlanPorts): PlanStep {
  return async (state, config) => {
    const pause = await withResolvedArguments(pauseOf(state, 'hil'), newestResults(state), ports);
    const { tools } = await ports.tools();
    const { deadline_seconds: deadline, on_timeout: onTimeout } = state.config.hil;
    const approves = onTimeout === 'approve' && pause.next_layer.every(({ missing }) => missing.length === 0);
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'plan_approval',
      ...summarise({
        intent: state.intent,
        pause,
        tasks: state.tasks,
        planning: state.planning ?? null,
        later: laterTasks(state, pause),
        costOf: (tool) => tools.get(tool)?.cost ?? null,
        deadlineSeconds: deadline,
        onTimeout: approves ? 'approve' : 'abort',
      }),
      details: pause,
      deadline_seconds: deadline,
      default_answer: { approved: approves, by: 'default' },
    });
    const output: Record<string, unknown> = outcome.ok ? outcome.output : { approved: false, by: 'default' };
    const { by, ...given } = output;
    const isDefault = by === 'default';
    const answer = approvalAnswerSchema.parse(given);
    const emit = emitter(ports, config);
    if (isDefault)
      emit('hil_timeout', {
        checkpoint_id: pause.checkpoint_id,
        action_taken: answer.approved ? 'approve' : 'abort',
      });
    const taken = decision({
      type: 'hil',
      action: answer.approved ? 'approve' : 'reject',
      by: isDefault ? 'default' : 'client',
      checkpoint_id: pause.checkpoint_id,
      reason: answer.feedback,
    });
    emit('plan_decision', { ...taken });
    const update = {
      decisions: [taken],
      messages: [approvalMessage(answer, isDefault)],
      pauses: state.pauses + 1,
    };
    if (!answer.approved) return { ...update, ...rejection(isDefault, answer) };
    return { ...update, ...(await approval(ports, state, pause, answer)) };
  };
}

/** Returns the decision for the conversation with the agent, with the arguments that the person changed. */
function approvalMessage(
  { approved, feedback, arguments: edits }: ApprovalAnswer,
  isDefault: boolean,
): PlanMessage {
  const who = isDefault ? 'Nobody answered in time, so the next layer is' : 'A person has';
  const what = [`${who} ${approved ? 'approved' : 'rejected'}${isDefault ? '' : ' the next layer'}.`];
  if (feedback) what.push(`Their reason: ${feedback}`);
  if (edits) what.push(`Arguments that they changed: ${JSON.stringify(edits)}`);
  return { role: 'plan', text: what.join(' '), results: [], at: now() };
}

const rejectedFor = (reason: string | undefined): Phrase =>
  reason ? phrase('run_error.plan_rejected.reason', { reason }) : phrase('run_error.plan_rejected');

function rejection(isDefault: boolean, { feedback }: ApprovalAnswer): PlanUpdate {
  const error = isDefault
    ? { code: 'hil_timeout', ...messageOf(phrase('run_error.hil_timeout')) }
    : { code: 'plan_rejected', ...messageOf(rejectedFor(feedback)) };
  return { status: 'rejected', error };
}

/**
 * Returns the approved layer with the person's changed arguments; if the changes make the plan invalid, the
 * person is asked again.
 */
async function approval(
  ports: PlanPorts,
  state: PlanState,
  { next_layer }: PlanPause,
  { arguments: edits }: ApprovalAnswer,
): Promise<PlanUpdate> {
  const approved = next_layer.map(({ task_id }) => task_id);
  if (!edits) return { approved };
  const tasks = state.tasks.map((task) =>
    approved.includes(task.id) ? { ...task, arguments: { ...task.arguments, ...edits[task.id] } } : task,
  );
  try {
    // A person who edits a step has seen all of it.
    const byModel = stepsByModel(state).filter((id) => !edits[id]);
    const origin = await originOf(ports, tasks, byModel);
    return { ...planUpdate(tasks, await ports.tools(), origin, tasks), approved };
  } catch (error) {
    if (error instanceof InvalidPlanError) return { approved: [] };
    throw error;
  }
}

function laterTasks(state: PlanState, { next_layer }: PlanPause): PlanTask[][] {
  const byId = new Map(state.tasks.map((task) => [task.id, task]));
  const due = new Set(next_layer.map(({ task_id }) => task_id));
  const layers = layersOf(state.tasks);
  const at = layers.findLastIndex((layer) => layer.some((id) => due.has(id)));
  return layers.slice(at + 1).map((layer) => layer.map((id) => byId.get(id)!));
}
