import { detailOf, messageOf } from '#contracts/phrases/detail.js';
import { questionOf } from '#contracts/decision-request.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { isOver, timeLimit } from '#contracts/wait.js';
import { runRemotely } from '#kit/graph/remote.js';
import { stepKey } from '#kit/graph/node.js';
import { agentAnswerSchema, type AgentAnswer } from '../../contract/values.js';
import { BudgetExceededError, ModelFailure } from '#kit/graph/ports.js';
import type { BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { PlanPorts } from '../ports.js';
import { pauseOf } from '../../dag/progress.js';
import { failedTask, newestResults } from '../../dag/attempts.js';
import type { PlanMessage, PlanState, PlanUpdate } from '../state.js';
import {
  askAgain,
  decisionTools,
  INVALID_DECISION,
  readAgentAnswer,
  toModelMessages,
  type Decided,
} from '../conversation.js';
import { decision, emitter, now, type PlanStep } from './context.js';

/** P1: asks the client for the agent's decision. Continues at the deadline. */
export function askAgentNode(ports: PlanPorts): PlanStep {
  return (state, config) => {
    const pause = pauseOf(state, 'ail');
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'plan_agent',
      ...questionOf(phrase('question.plan_agent', { state: situationOf(state) })),
      details: pause,
      deadline_seconds: state.config.ail.deadline_seconds,
      default_answer: { by: 'default' },
    });
    const parsed = agentAnswerSchema.safeParse(outcome.ok ? outcome.output : {});
    const decided: Decided = parsed.success
      ? { answer: parsed.data }
      : { code: 'agent_timeout', failure: 'No answer arrived in time.' };
    const pauses = state.pauses + 1;
    return { ...decide(ports, state, config, 'client', decided), pauses, undecided: false };
  };
}

function situationOf({ layer, undecided, decision_requested: isRequested }: PlanState): Phrase {
  const state =
    layer === 0 ? phrase('question.plan_agent.first') : phrase('question.plan_agent.after_layer', { layer });
  if (undecided) return phrase('question.plan_agent.undecided', { state });
  return isRequested ? phrase('question.plan_agent.requested', { state }) : state;
}

/**
 * P3, P6: the agent decides within its one conversation, which contains every result in full. After two invalid
 * decisions a person is asked.
 */
export function agentNode(ports: PlanPorts): PlanStep {
  return async (state, config) => {
    const decided = await askModel(ports, state, config);
    if (!('failure' in decided) || decided.code !== INVALID_DECISION)
      return decide(ports, state, config, 'model', decided);
    emitter(ports, config)('ail_failed', {
      checkpoint_id: pauseOf(state, 'ail').checkpoint_id,
      code: decided.code,
      error: decided.failure,
      action_taken: 'ask',
    });
    return { undecided: true };
  };
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
    const messages = await toModelMessages(state, read);
    const call = (more: BaseMessage[], part: string) =>
      ports.model.call({
        messages: [...messages, ...more],
        tools: decisionTools,
        tier: state.model_recovery.tier ?? 'main',
        effectKey: `${stepKey(config)}${part}`,
        signal,
      });
    const answer = await call([], '');
    const decided = readAgentAnswer(answer);
    if (!('failure' in decided)) return decided;
    return readAgentAnswer(await call(askAgain(answer, decided.failure), '/again'));
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
    messages: [
      { role: 'agent', ...describeDecision(by, text, decided, checkpointId), results: [], at: now() },
    ],
    decision_requested: false,
    ...consequence(state, answer, 'failure' in decided),
  };
}

/** Returns the decision for the conversation: the tool call of a model or client, or why there is none. */
function describeDecision(
  by: 'client' | 'model',
  text: string,
  decided: Decided,
  checkpointId: string,
): Pick<PlanMessage, 'text' | 'call' | 'by'> {
  if ('failure' in decided) return { text: `Nobody decided, so the plan continues: ${decided.failure}` };
  const { action: name, ...args } = decided.answer;
  if (by === 'client') return { text, call: { id: `call_${checkpointId}`, name, args }, by };
  return { text, ...(decided.call ? { call: decided.call } : {}) };
}

function consequence(state: PlanState, answer: AgentAnswer, isDefault: boolean): PlanUpdate {
  if (answer.action === 'abort')
    return {
      status: 'aborted',
      error: { code: 'plan_aborted', ...messageOf(answer.reason ?? phrase('run_error.plan_aborted.agent')) },
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
    error: {
      code: 'task_failed',
      ...messageOf(phrase('run_error.at_task', { task: failed.task_id, error: detailOf(failed.error!) })),
    },
  };
}
