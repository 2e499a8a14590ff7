import { messageOf, type Message } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { PlanTask } from '../contract/values.js';
import type { PlanState } from '../graph/state.js';
import { startsRun } from '../tools/graph/runs.js';
import { platformCatalogue } from '../tools/catalogue.js';
import { calledBy, callsOf } from '../tools/platform/map.js';
import { describedCall } from '../tools/platform/http-request.js';
import { SEND_MAIL } from '../tools/platform/send-mail.js';
import { completedTasks, newestResults } from './attempts.js';

/** Tools that write a file for the user, besides those that start a run. */
const WRITING = ['write_file', 'convert_markdown'];

/** Returns whether a plan step writes a file for the user. */
export const isWriting = (task: Parameters<typeof calledBy>[0]): boolean => {
  const { tool } = calledBy(task);
  return WRITING.includes(tool) || startsRun(tool);
};

/**
 * Returns whether a plan step changes something outside its run, so that its plan need not write a file.
 *
 * @param asked steps with side effects, tools of MCP servers included
 */
function isActing(task: PlanTask, asked: readonly string[]): boolean {
  const tool = platformCatalogue.find(({ name }) => name === calledBy(task).tool);
  if (!tool) return asked.includes(task.id);
  const { sideEffects, isRepeatable } = describedCall(tool, callsOf(task));
  return sideEffects && !isRepeatable;
}

/** What a person should know of a plan although it goes on or succeeded. */
export type PlanWarning = { code: string; task_id: string | null } & Message;

/**
 * Returns the warnings about a plan: failed items and steps, a mail that was not sent and planned away, and success
 * without a file.
 */
export function warningsOf(
  state: Pick<PlanState, 'results' | 'tasks' | 'given_up' | 'status' | 'with_side_effects'>,
): PlanWarning[] {
  const newest = newestResults(state);
  const completed = completedTasks(state);
  const items = completed.flatMap(({ task_id, failed_items: count = 0 }) =>
    count === 0
      ? []
      : [
          {
            code: 'items_failed',
            task_id,
            ...messageOf(phrase('plan_warning.items_failed', { task: task_id, count })),
          },
        ],
  );
  const kept = new Set(state.tasks.map(({ id }) => id));
  const unsent = [...newest.values()].filter(({ task_id: id, tool }) => tool === SEND_MAIL && !kept.has(id));
  const steps = [...(state.given_up ?? []), ...unsent.map(({ task_id: id }) => id)].flatMap((id) =>
    newest.get(id)?.status === 'failed'
      ? [{ code: 'task_failed', task_id: id, ...messageOf(phrase('plan_warning.task_failed', { task: id })) }]
      : [],
  );
  const ids = new Set(completed.map(({ task_id }) => task_id));
  const hasEffect = state.tasks.some(
    (task) => ids.has(task.id) && (isWriting(task) || isActing(task, state.with_side_effects)),
  );
  const wroteNothing = state.status === 'completed' && !hasEffect;
  const nothing = { code: 'no_files', task_id: null, ...messageOf(phrase('plan_warning.no_files')) };
  return [...items, ...steps, ...(wroteNothing ? [nothing] : [])];
}
