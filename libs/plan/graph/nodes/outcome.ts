import { detailOf, messageOf } from '#contracts/phrases/detail.js';
import { questionOf } from '#contracts/decision-request.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { runRemotely } from '#kit/graph/remote.js';
import { outcomeAnswerSchema, type PlanTaskResult } from '../../contract/values.js';
import { OUTCOME_UNKNOWN } from '../../contract/tasks.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { z } from 'zod';
import type { PlanPorts } from '../ports.js';
import { pauseOf } from '../../dag/progress.js';
import { newestResults } from '../../dag/attempts.js';
import type { PlanState, PlanUpdate } from '../state.js';
import { decision, emitter, now, type PlanStep } from './context.js';
import { afterFailures } from './layers.js';

type Answer = z.infer<typeof outcomeAnswerSchema>;

/**
 * Asks a person for the outcome of an interrupted call, one plan step at a time. A call is repeated only on
 * that answer; without one the plan ends.
 */
export function askOutcomeNode(ports: PlanPorts): PlanStep {
  return async (state, config) => {
    const [id = '', ...rest] = state.unknown;
    const result = newestResults(state).get(id)!;
    const pause = pauseOf(state, 'outcome');
    const isAsked = ({ task_id }: { task_id: string }) => task_id === id;
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'plan_outcome',
      ...questionOf(
        phrase('question.plan_outcome', {
          tool: result.tool,
          task: result.task_id,
          error: detailOf(result.error!),
        }),
      ),
      details: {
        ...pause,
        results: pause.results.filter(isAsked),
        next_layer: pause.next_layer.filter(isAsked),
      },
      deadline_seconds: state.config.hil.deadline_seconds,
      default_answer: { action: 'abort', by: 'default' },
    });
    const { by, ...given } = (outcome.ok ? outcome.output : { by: 'default' }) as Record<string, unknown>;
    const isDefault = by === 'default';
    const answer: Answer = isDefault ? { action: 'abort' } : outcomeAnswerSchema.parse(given);
    const taken = decision({
      type: 'outcome',
      action: answer.action,
      by: isDefault ? 'default' : 'client',
      checkpoint_id: pause.checkpoint_id,
      reason: answer.reason,
    });
    emitter(ports, config)('plan_decision', { ...taken, task_id: id });
    return {
      decisions: [taken],
      pauses: state.pauses + 1,
      unknown: rest,
      ...(isDefault ? unanswered(result) : await consequence(ports, state, config, result, answer)),
    };
  };
}

function unanswered({ task_id, tool }: PlanTaskResult): PlanUpdate {
  const message = messageOf(phrase('run_error.outcome_unknown.unanswered', { task: task_id, tool }));
  return { status: 'failed', error: { code: OUTCOME_UNKNOWN, ...message } };
}

async function consequence(
  ports: PlanPorts,
  state: PlanState,
  config: RunnableConfig,
  result: PlanTaskResult,
  { action, reason, items }: Answer,
): Promise<PlanUpdate> {
  const { task_id, tool, layer } = result;
  // The step calls the other items with the next layer, and collects what the person said about these.
  if (result.interrupted_items && action !== 'abort') {
    const said = result.interrupted_items.map((index) => [index, items?.[index] ?? action] as const);
    return {
      approved: [...state.approved, task_id],
      item_outcomes: { ...state.item_outcomes, [task_id]: { items: Object.fromEntries(said) } },
    };
  }
  switch (action) {
    case 'repeat':
      // The plan step is still due; this answer approves it.
      return { approved: [...state.approved, task_id] };
    case 'failed':
      return afterFailures(ports, state, [result]);
    case 'abort':
      return {
        status: 'aborted',
        error: {
          code: 'plan_aborted',
          ...messageOf(reason ?? phrase('run_error.plan_aborted.at_task', { task: task_id, tool })),
        },
      };
    case 'done': {
      const kept = await ports.keepResult(task_id, null);
      const { bytes, preview } = kept;
      emitter(ports, config)('task_complete', { task_id, tool, layer, bytes, preview });
      return { results: [{ task_id, tool, layer, at: now(), status: 'completed', error: null, ...kept }] };
    }
  }
}
