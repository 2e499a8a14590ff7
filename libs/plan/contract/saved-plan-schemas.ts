import { runBudgetSchema } from '#contracts/budgets.js';
import { nameSchema } from '#contracts/names.js';
import { z } from 'zod';
import { parameterValuesSchema, planParametersSchema } from './parameters.js';
import { planConfigSchema, planDagSchema } from './values.js';

/** Maximum number of saved plans of a tenant, and of versions of one. */
export const MAX_SAVED_PLANS = 1_000;
export const MAX_PLAN_VERSIONS = 100;
/** Maximum size of a version to save, in kB of JSON. */
export const MAX_DEFINITION_KB = 256;

/** Version of the exported form. */
const FORMAT = 'scriptorium-plan-1';

/** What a version of a saved plan consists of; a template has the same form. */
const definition = {
  parameters: planParametersSchema.default([]),
  dag: planDagSchema.meta({
    description:
      'tasks of the plan; in arguments, `{"$parameter": "name"}` is the value of a parameter, `{"$text": "report-{name}.csv"}` a text that contains values, and `{"$sql": "SELECT {name} FROM t"}` SQL in which a value is a quoted identifier',
  }),
  config: planConfigSchema.prefault({}),
};
export const planDefinitionSchema = z.object(definition).strict();
export type PlanDefinition = z.infer<typeof planDefinitionSchema>;

const described = {
  name: nameSchema(200),
  description: nameSchema(1_000).or(z.literal('')).default(''),
};

/** A saved plan as a file that another tenant or installation can import. */
export const savedPlanDocumentSchema = z
  .object({ format: z.literal(FORMAT).default(FORMAT), ...described, ...definition })
  .strict()
  .meta({ id: 'SavedPlanDocument' });
export type SavedPlanDocument = z.infer<typeof savedPlanDocumentSchema>;

const exactlyOne = (plan: { dag?: unknown; run_id?: unknown; template?: unknown }): boolean =>
  [plan.dag, plan.run_id, plan.template].filter((given) => given !== undefined).length === 1;

/** A plan to save: an exported document, or what a finished run or a template contains. */
export const newSavedPlanSchema = z
  .object({
    format: z.literal(FORMAT).optional(),
    ...described,
    parameters: planParametersSchema.optional(),
    dag: definition.dag.optional(),
    config: planConfigSchema.optional(),
    run_id: z.string().max(100).optional().meta({
      description: 'completed plan to save; names of input files become parameters',
    }),
    template: z.string().max(100).optional().meta({ description: 'template to copy' }),
  })
  .strict()
  .refine(exactlyOne, { message: 'pass exactly one of "dag", "run_id" and "template"' })
  .refine((plan) => plan.dag !== undefined || plan.parameters === undefined, {
    path: ['parameters'],
    message: 'is only allowed with "dag"',
  })
  .meta({ id: 'NewSavedPlan' });
export type NewSavedPlan = z.infer<typeof newSavedPlanSchema>;

export const newSavedPlanVersionSchema = planDefinitionSchema.meta({ id: 'NewSavedPlanVersion' });

const savedPlanShape = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.number().int().meta({ description: 'newest version' }),
  created_at: z.iso.datetime(),
  parameters: planParametersSchema,
  updated_at: z.iso.datetime(),
};
export const savedPlanSummarySchema = z.object(savedPlanShape).meta({ id: 'SavedPlanSummary' });

export const savedPlanSchema = z
  .object({
    ...savedPlanShape,
    shown_version: z.number().int().meta({ description: 'version that is shown' }),
    dag: planDagSchema,
    config: planConfigSchema,
    versions: z
      .array(z.object({ version: z.number().int(), created_at: z.iso.datetime() }))
      .meta({ description: 'newest first' }),
  })
  .meta({ id: 'SavedPlan' });

export const savedPlanRunSchema = z
  .object({
    session_id: z.string().max(100).optional().meta({
      description: 'session with the input files (default: a new session, for plans without files)',
    }),
    version: z.number().int().min(1).optional().meta({ description: 'version to run (default: the newest)' }),
    parameters: parameterValuesSchema.default({}),
    config: planConfigSchema.optional().meta({ description: 'replaces the configuration of the plan' }),
    budget: runBudgetSchema.default({}),
  })
  .strict()
  .meta({ id: 'SavedPlanRun' });
export type SavedPlanRun = z.infer<typeof savedPlanRunSchema>;

export const planAgainSchema = z
  .object({
    session_id: z.string().max(100).optional().meta({
      description: 'session with the input files (default: the session of the run)',
    }),
    parameters: parameterValuesSchema.default({}).meta({
      description:
        'values that replace those of the run. A plan without parameters has one for each input file that it names: `file`, `file_2` and so on',
    }),
    budget: runBudgetSchema.default({}),
  })
  .strict()
  .meta({ id: 'PlanAgain' });
export type PlanAgain = z.infer<typeof planAgainSchema>;
