import { z } from 'zod';
import { runBudgetSchema } from './budgets.js';
import { findRunKind } from './kinds/registry.js';
import { runStatusSchema } from './runs.js';

/**
 * A whole run that a node asks for, of any kind, in the session of its own. Of its parent's budget it gets the part that is
 * named, else what is left.
 */
export const childRunSchema = z.object({
  kind: z.string(),
  mode: z.string().nullable().default(null),
  inputs: z.record(z.string(), z.unknown()).default({}),
  budget: runBudgetSchema.default({}),
});
export type ChildRun = z.infer<typeof childRunSchema>;

/** How a child ended that completed or was rejected; one that failed or was cancelled is a task that failed. */
export const childRunResultSchema = z.object({
  run_id: z.string(),
  status: runStatusSchema,
  /** Why it was rejected. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** What its kind tells at its end. */
  result: z.record(z.string(), z.unknown()),
});

/** Why such a run cannot be started: its mode or inputs are not what its kind takes; null when it can, or the kind is unknown here. */
export function childRunProblem({ kind: name, mode, inputs }: ChildRun): string | null {
  const kind = findRunKind(name);
  if (!kind) return null;
  if (mode !== null && !kind.modes.includes(mode)) return `Runs of kind ${name} have no mode ${mode}.`;
  const issue = kind.inputs.safeParse(inputs).error?.issues[0];
  return issue ? `inputs.${issue.path.join('.')}: ${issue.message}` : null;
}
