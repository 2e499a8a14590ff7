import { isOver, timeLimit } from '#contracts/wait.js';
import { runRemotely } from '#kit/graph/remote.js';
import { stepKey } from '#kit/graph/step.js';
import { agentAnswerSchema, type AgentAnswer } from '../../contract/values.js';
import { BudgetExceededError, ModelFailure } from '#kit/graph/ports.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { PlanPorts } from '../ports.js';
import { pauseOf } from '../../dag/progress.js';
import { failedTask, newestResults } from '../../dag/attempts.js';
import type { PlanState, PlanUpdate } from '../state.js';
import { decisionTools, readAgentAnswer, toModelMessages, type Decided } from '../conversation.js';
import { decision, emitter, now, type PlanStep } from './context.js';

/** P1: asks the client for the agent's decision; continues at the deadline. */
export function askAgentNode(ports: PlanPorts): PlanStep {
  return (state, config) => {
    const pause = pauseOf(state, 'ail');
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'plan_agent',
      question: `Layer ${state.layer} of the plan is complete. Continue, replan, or abort?`,
      details: pause,
      deadline_seconds: state.config.ail.deadline_seconds,
      default_answer: { by: 'default' },
    });
    const parsed = agentAnswerSchema.safeParse(outcome.ok ? outcome.output : {});
    const decided: Decided = parsed.success
      ? { answer: parsed.data }
      : { code: 'agent_timeout', failure: 'No answer arrived in time.' };
    return { ...decide(ports, state, config, 'client', decided), pauses: state.pauses + 1 };
  };
}

/** P3, P6: the agent decides within its one conversation, which contains every result in full. */
export function agentNode(ports: PlanPorts): PlanStep {
  return async (state, config) => decide(ports, state, config, 'model', await askModel(ports, state, config));
}

async function askModel(ports: PlanPorts, state: PlanState, config: RunnableConfig): Promise<Decided> {
  const newest = newestResults(state);
  const read = async (id: string) => {
    const key = newest.get(id)?.result_key;
    return key ? ports.result(key) : (newest.get(id)?.error ?? null);
  };
  const seconds = state.config.ail.deadline_seconds;
  const signal = timeLimit(seconds * 1_000, config.signal);
  try {
    const answer = await ports.model.call({
      messages: await toModelMessages(state, read),
      tools: decisionTools,
      effectKey: stepKey(config),
      signal,
    });
    return readAgentAnswer(answer);
  } catch (error) {
    if (error instanceof BudgetExceededError)
      return { code: 'budget_exceeded', failure: 'The budget does not allow the call.' };
    if (error instanceof ModelFailure) return { code: error.code, failure: error.message };
    if (isOver(signal) && !config.signal?.aborted)
      return { code: 'agent_timeout', failure: `The model did not answer within ${seconds} s.` };
    throw error;
  }
}

function decide(
  ports: PlanPorts,
  state: PlanState,
  config: RunnableConfig,
  by: 'client' | 'model',
  decided: Decided,
): PlanUpdate {
  const emit = emitter(ports, config);
  const checkpointId = pauseOf(state, 'ail').checkpoint_id;
  const answer: AgentAnswer = 'answer' in decided ? decided.answer : { action: 'continue' };
  if ('failure' in decided)
    emit('ail_failed', {
      checkpoint_id: checkpointId,
      code: decided.code,
      error: decided.failure,
      action_taken: 'continue',
    });
  const reason = 'failure' in decided ? decided.failure : answer.reason;
  const taken = decision({
    type: 'ail',
    action: answer.action,
    by: 'failure' in decided ? 'default' : by,
    checkpoint_id: checkpointId,
    reason,
  });
  emit('plan_decision', { ...taken });
  const text = [answer.action, answer.new_requirement, reason].filter(Boolean).join(': ');
  return {
    decisions: [taken],
    messages: [{ role: 'agent', text, results: [], at: now() }],
    ...consequence(state, answer, 'failure' in decided),
  };
}

function consequence(state: PlanState, answer: AgentAnswer, isDefault: boolean): PlanUpdate {
  if (answer.action === 'abort')
    return {
      status: 'aborted',
      error: { code: 'plan_aborted', message: answer.reason ?? 'The agent ended the plan.' },
    };
  if (answer.action === 'replan_dag')
    return {
      requirement: {
        new_requirement: answer.new_requirement!,
        available_context: answer.available_context ?? {},
      },
    };
  // Nobody asked for another attempt at the failed plan step; without ending here, it would be repeated
  // forever.
  const failed = failedTask(state);
  if (!isDefault || !failed) return {};
  return {
    status: 'failed',
    error: { code: 'task_failed', message: `${failed.task_id}: ${failed.error!.message}` },
  };
}
