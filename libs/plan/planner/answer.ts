import { readJson } from '#kit/graph/structured.js';
import { z } from 'zod';
import { MAX_PLAN_TASKS, planTaskSchema, type PlanTask } from '../contract/values.js';

/** The model's plan for a request. */
const plannedSchema = z.object({
  understanding: z.string().min(1).max(1_000),
  tasks: z
    .array(
      planTaskSchema.extend({
        depends_on: z.array(z.string()).max(50).nullish(),
        when: planTaskSchema.shape.when.nullable(),
        purpose: z.string().max(300).nullish(),
        needs_approval: z.boolean().nullish(),
      }),
    )
    .max(MAX_PLAN_TASKS),
  outputs: z
    .array(z.object({ task: z.string(), description: z.string().max(500) }))
    .max(50)
    .default([]),
  assumptions: z.array(z.string().max(500)).max(20).default([]),
  missing: z.array(z.string().max(500)).max(20).default([]),
});

/** A plan with the model's explanations. */
export interface Planned {
  understanding: string;
  tasks: PlanTask[];
  outputs: { task: string; description: string }[];
  assumptions: string[];
  /** Things that the request needs but that neither the inputs nor the tools provide. */
  missing: string[];
}

/** Reads the answer of the model. @throws Error that explains to the model what is wrong */
export function readPlanned(answer: string): Planned {
  const { tasks, ...rest } = readJson(plannedSchema, answer);
  return {
    ...rest,
    tasks: tasks.map(({ depends_on, when, purpose, needs_approval, ...task }) => ({
      ...task,
      depends_on: depends_on ?? [],
      ...(when ? { when } : {}),
      ...(purpose ? { purpose } : {}),
      ...(needs_approval ? { needs_approval } : {}),
    })),
  };
}
