import { detailOf, phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { PlanTask } from '../contract/values.js';
import { dependenciesOf } from '../contract/dependencies.js';
import { InvalidPlanError, layersOf } from '../dag/dag.js';
import type { Toolbox } from '../tools/toolbox.js';
import { Draft } from '../dag/suggest.js';
import type { Producer } from '../dag/wiring.js';

export const MAX_REPLANS = 3;

/** Progress of a plan when it is re-planned. */
export interface Progress {
  tasks: readonly PlanTask[];
  /** Completed plan steps, in order of completion, with their results if known. */
  completed: readonly { task_id: string; result?: unknown }[];
  replans: number;
}

export interface Requirement {
  new_requirement: string;
  available_context: Record<string, unknown>;
  /** Failed plan steps that led to the requirement, and are given up if it cannot be met. */
  given_up?: string[];
}

/** Reason why the plan continues unchanged (P8). */
export class ReplanRefused extends Error {
  override readonly name = 'ReplanRefused';
  readonly phrase: Phrase | undefined;

  constructor(
    readonly code: 'replan_limit' | 'no_tools' | 'invalid_plan' | 'plan_incomplete',
    detail: Detail,
  ) {
    super(textOf(detail));
    this.phrase = phraseOf(detail);
  }
}

/** @throws ReplanRefused if the plan was replanned as often as it may be (P8) */
export function requireReplan(replans: number): void {
  if (replans >= MAX_REPLANS)
    throw new ReplanRefused('replan_limit', phrase('run_error.replan_limit', { max: MAX_REPLANS }));
}

/**
 * P7: adds tools for a new requirement to a plan. The five best search hits are ranked with their importance
 * for the tenant (PageRank). Up to three new plan steps depend on the last successful one. Existing plan steps
 * stay unchanged.
 *
 * @returns the steps of the new plan, the old ones first
 * @throws ReplanRefused
 */
export function replan(progress: Progress, requirement: Requirement, toolbox: Toolbox): PlanTask[] {
  requireReplan(progress.replans);
  const draft = draftAfter(progress, requirement, toolbox);
  draft.addFor(requirement.new_requirement);
  if (draft.tasks.length === 0) throw new ReplanRefused('no_tools', phrase('run_error.replan_no_tools'));
  return merged(progress, draft.tasks);
}

/**
 * Appends the new plan steps after the last successful one, and checks the whole plan.
 *
 * @throws ReplanRefused
 */
export function merged(progress: Progress, added: readonly PlanTask[]): PlanTask[] {
  const last = progress.completed.at(-1)?.task_id;
  const after = added.map((task) => {
    const isFirst = dependenciesOf(task).every((id) => !added.some((other) => other.id === id));
    const depends =
      last !== undefined && isFirst ? [...new Set([...task.depends_on, last])] : task.depends_on;
    return { ...task, depends_on: depends };
  });
  const tasks = [...progress.tasks, ...after];
  try {
    layersOf(tasks);
  } catch (error) {
    if (error instanceof InvalidPlanError) throw new ReplanRefused('invalid_plan', detailOf(error));
    throw error;
  }
  return tasks;
}

function draftAfter({ tasks, completed }: Progress, requirement: Requirement, toolbox: Toolbox): Draft {
  const toolOf = new Map(tasks.map((task) => [task.id, toolbox.tools.get(task.tool)]));
  const producers = completed.flatMap(({ task_id, result }): Producer[] => {
    const tool = toolOf.get(task_id);
    return tool ? [{ task: task_id, tool, result }] : [];
  });
  const ids = tasks.map(({ id }) => id);
  return new Draft(toolbox, requirement.available_context, producers, ids);
}
