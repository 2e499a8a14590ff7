import type { RunEvent } from '#contracts/events.js';

/** Returns the progress line of an event of a plan; undefined for events that are not shown. */
export function planLine({ type, data }: RunEvent): string | undefined {
  const task = `${String(data['task_id'])} (${String(data['tool'])})`;
  switch (type) {
    case 'plan_created':
      return `${(data['tasks'] as unknown[]).length} steps`;
    case 'layer_started':
      return `layer ${Number(data['layer']) + 1} started`;
    case 'task_complete':
      return `${task}: done`;
    case 'task_skipped':
      return `${task}: skipped`;
    case 'task_error':
      return `${task}: ${(data['error'] as { message?: string } | null)?.message ?? 'failed'}`;
    case 'plan_decision':
      return `${String(data['type'])} ${String(data['action'])}, by ${String(data['by'])}`;
    case 'ail_failed':
      return `the model failed to decide, and ${data['action_taken'] === 'ask' ? 'a person is asked' : 'the plan continues'}: ${String(data['error'])}`;
    case 'replan_failed':
      return `replanning failed, and the plan continues unchanged: ${String(data['error'])}`;
    case 'tools_found_by_words':
      return 'the embedding server failed: the tools are found by their words only';
    case 'fallback_used':
      return 'rules make the plan, without a model';
    default:
      return undefined;
  }
}
