import { z } from 'zod';
import { runBudgetSchema } from '#contracts/budgets.js';
import { findRunKind } from './registry.js';
import { runStatusSchema } from '#contracts/runs.js';
import { taskErrorSchema } from '#contracts/task-error.js';

/**
 * A run of any kind that a node starts, in its parent's session. It gets the requested part of the parent's
 * budget, or by default a share of the rest.
 */
export const childRunSchema = z.object({
  kind: z.string(),
  mode: z.string().nullable().default(null),
  inputs: z.record(z.string(), z.unknown()).default({}),
  budget: runBudgetSchema.default({}),
});
export type ChildRun = z.infer<typeof childRunSchema>;

/** Result of a completed or rejected child run; a failed or cancelled child is a failed task. */
export const childRunResultSchema = z.object({
  run_id: z.string(),
  status: runStatusSchema,
  /** Reason for a rejection. */
  error: taskErrorSchema.nullable(),
  /** Final result as its kind defines it. */
  result: z.record(z.string(), z.unknown()),
});

/**
 * Returns why a child run cannot be started: its kind does not accept the mode or inputs. Null if it can be
 * started, or if its kind is unknown here.
 */
export function childRunProblem({ kind: name, mode, inputs }: ChildRun): string | null {
  const kind = findRunKind(name);
  if (!kind) return null;
  if (mode !== null && !kind.modes.includes(mode)) return `Runs of kind ${name} have no mode ${mode}.`;
  const issue = kind.inputs.safeParse(inputs).error?.issues[0];
  return issue ? `inputs.${issue.path.join('.')}: ${issue.message}` : null;
}
