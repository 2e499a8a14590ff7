import type { PlanTask } from '#contracts/kinds/plan/schemas.js';
import { termsOf } from '#tools/retrieval/terms.js';
import { dependenciesOf, InvalidPlanError, layersOf } from './dag.js';
import type { Toolbox } from '#tools/toolbox.js';
import { Draft } from './suggest.js';
import type { Producer } from './wiring.js';

export const MAX_REPLANS = 3;
const CANDIDATES = 5;
const MAX_NEW_TASKS = 3;

/** Where a plan stands when it is planned anew. */
export interface Progress {
  tasks: readonly PlanTask[];
  /** Tasks that are done, in the order in which they ended, with their results where these are known. */
  completed: readonly { task_id: string; result?: unknown }[];
  replans: number;
}

export interface Requirement {
  new_requirement: string;
  available_context: Record<string, unknown>;
}

/** Why the plan goes on as it is (P8). */
export class ReplanRefused extends Error {
  override readonly name = 'ReplanRefused';

  constructor(
    readonly code: 'replan_limit' | 'no_tools' | 'invalid_plan',
    message: string,
  ) {
    super(message);
  }
}

/**
 * P7: adds tools for a new requirement to a plan. The five best by retrieval are ranked by their importance to the tenant (PageRank); up to three
 * new tasks depend on the last task that succeeded. What is in the plan already stays as it is.
 *
 * @returns the tasks of the new plan; those of the old one come first, unchanged
 * @throws ReplanRefused
 */
export function replan(progress: Progress, requirement: Requirement, toolbox: Toolbox): PlanTask[] {
  if (progress.replans >= MAX_REPLANS)
    throw new ReplanRefused('replan_limit', `A plan is planned anew at most ${MAX_REPLANS} times.`);
  const hits = toolbox.index.search(requirement.new_requirement, CANDIDATES);
  if (hits.length === 0) throw new ReplanRefused('no_tools', 'No tool fits the new requirement.');
  const importance = toolbox.index.importance();
  // What was never used says nothing: among equals the better hit comes first.
  const best = hits[0]!.score;
  const value = (hit: (typeof hits)[number]) => hit.score / best + (importance.get(hit.name) ?? 0);
  const ranked = [...hits].sort((a, b) => value(b) - value(a)).filter((hit) => hit.score >= best / 2);
  const draft = draftAfter(progress, requirement, toolbox);
  let room = MAX_NEW_TASKS;
  for (const name of complementary(ranked, requirement.new_requirement, toolbox))
    if (!draft.has(name)) room -= draft.add(name, room);
  return merged(progress, draft.tasks);
}

/** Leaves out tools that serve nothing of a request but what a better one serves already: who asks to parse CSV wants no parser of XML. */
function complementary(ranked: readonly { name: string }[], request: string, { tools }: Toolbox): string[] {
  const open = new Set(termsOf(request));
  return ranked.flatMap(({ name }, place) => {
    const served = termsOf(`${name} ${tools.get(name)?.description ?? ''}`).filter((term) =>
      open.delete(term),
    );
    return served.length > 0 || place === 0 ? [name] : [];
  });
}

/** Puts the new tasks behind the last one that succeeded, and checks the whole. @throws ReplanRefused */
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
    if (error instanceof InvalidPlanError) throw new ReplanRefused('invalid_plan', error.message);
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
  const hints = termsOf(requirement.new_requirement);
  const ids = tasks.map(({ id }) => id);
  return new Draft(toolbox, hints, requirement.available_context, producers, ids);
}
