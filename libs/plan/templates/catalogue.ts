import { z } from 'zod';
import { planParameterSchema, type PlanParameter } from '../contract/parameters.js';
import { planTaskSchema, type PlanTask } from '../contract/values.js';
import shipped from './templates.json' with { type: 'json' };

type TemplateName = keyof typeof shipped.templates;
type ParameterName = keyof typeof shipped.parameters;

/** A plan that the product ships, in the form of a saved plan. */
export interface KnownTemplate {
  name: TemplateName;
  /** Their labels are the phrases `plan_template.parameter.*`. */
  parameters: (PlanParameter & { name: ParameterName })[];
  tasks: PlanTask[];
}

/**
 * Plans that run as they are, without a model. Their texts are the phrases `plan_template.*`. The tasks that read a
 * table are `parse` and `parse_other`; `filter_rows` compares what is written, because the value 31.12.2026 is a text,
 * and the column one of dates.
 */
export const planTemplates: readonly KnownTemplate[] = Object.entries(shipped.templates).map(
  ([name, { parameters, tasks }]) => ({
    name: name as TemplateName,
    parameters: (parameters as ParameterName[]).map((parameter) => ({
      ...planParameterSchema.parse({ name: parameter, ...shipped.parameters[parameter] }),
      name: parameter,
    })),
    tasks: z.array(planTaskSchema).parse(tasks),
  }),
);

/** Returns a template by its name. */
export const findTemplate = (name: string): KnownTemplate | undefined =>
  planTemplates.find((each) => each.name === name);
