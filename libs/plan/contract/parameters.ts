import { nameSchema } from '#contracts/names.js';
import { z } from 'zod';

const MAX_PARAMETERS = 50;
/** Maximum number of characters of a value, and of values in a list. */
const MAX_VALUE_LENGTH = 1_000;
const MAX_VALUES = 1_000;

const text = z.string().min(1).max(MAX_VALUE_LENGTH);

/** A value of a parameter. Numbers and booleans can also be given as text, as forms and command lines have them. */
export const parameterValueSchema = z.union([
  text,
  z.number(),
  z.boolean(),
  z.array(text).min(1).max(MAX_VALUES),
]);
export type ParameterValue = z.infer<typeof parameterValueSchema>;

/** Values of parameters, by name. */
export const parameterValuesSchema = z.record(z.string().max(100), parameterValueSchema);
export type ParameterValues = z.infer<typeof parameterValuesSchema>;

const parameterKinds = ['file', 'files', 'collections', 'text', 'number', 'boolean', 'choice'] as const;

/** Parameter of a template or saved plan; a form is made from it. */
export const planParameterSchema = z
  .object({
    name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
    kind: z.enum(parameterKinds).meta({
      description:
        '`file`, `files`: names of input files of the session; `collections`: IDs of collections; `choice`: one of `choices`',
    }),
    label: nameSchema(200).optional().meta({ description: 'for people (default: the name)' }),
    choices: z.array(text).min(1).max(100).optional(),
    default: parameterValueSchema.optional().meta({ description: 'without it, a value is required' }),
  })
  .strict()
  .refine(({ kind, choices }) => (kind === 'choice') === (choices !== undefined), {
    path: ['choices'],
    message: 'is required for the kind choice, and only allowed with it',
  });
export type PlanParameter = z.infer<typeof planParameterSchema>;

export const planParametersSchema = z
  .array(planParameterSchema)
  .max(MAX_PARAMETERS)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    message: 'must not contain a name twice',
  });

/** Template or saved plan from which a run was made, with the values of its parameters. */
export const madeFromSchema = z.object({
  template: z.string().optional(),
  saved_plan_id: z.string().optional(),
  version: z.number().int().optional(),
  parameters: parameterValuesSchema,
});
export type MadeFrom = z.infer<typeof madeFromSchema>;
