import { renderText, translate } from '#cli/language.js';
import type { RunEvent } from '#contracts/events.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { TaskError } from '#contracts/task-error.js';

const taskProblem = (error: TaskError | null): string =>
  error ? renderText(error.phrase, error.message) : translate(phrase('out.failed'));

const problemOf = (data: Record<string, unknown>): string =>
  renderText(data['phrase'] as Phrase | undefined, String(data['error']));

/** Returns the progress line of an event of a plan; undefined for events that are not shown. */
export function planLine({ type, data }: RunEvent): string | undefined {
  const task = `${String(data['task_id'])} (${String(data['tool'])})`;
  switch (type) {
    case 'plan_created':
      return translate(phrase('out.plan_steps', { count: (data['tasks'] as unknown[]).length }));
    case 'layer_started':
      return translate(phrase('out.layer_started', { number: Number(data['layer']) + 1 }));
    case 'task_complete':
      return translate(phrase('out.task_done', { task }));
    case 'task_skipped':
      return translate(phrase('out.task_skipped', { task }));
    case 'task_error':
      return `${task}: ${taskProblem(data['error'] as TaskError | null)}`;
    case 'plan_decision':
      return translate(
        phrase('out.plan_decision', {
          type: String(data['type']),
          action: String(data['action']),
          by: String(data['by']),
        }),
      );
    case 'ail_failed':
      return translate(
        phrase(data['action_taken'] === 'ask' ? 'out.agent_failed_ask' : 'out.agent_failed_continue', {
          problem: problemOf(data),
        }),
      );
    case 'replan_failed':
      return translate(phrase('out.replan_failed', { problem: problemOf(data) }));
    case 'tools_found_by_words':
      return translate(phrase('out.found_by_words'));
    case 'fallback_used':
      return translate(phrase('out.rules_plan'));
    default:
      return undefined;
  }
}
