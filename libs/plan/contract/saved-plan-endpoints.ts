import { budgetProblems, defineEndpoints } from '#contracts/api/endpoints/endpoint.js';
import { pageOf, pageQuery, titlePart } from '#contracts/api/paging.js';
import { z } from 'zod';
import * as saved from './saved-plan-schemas.js';
import { planSchema } from './schemas.js';

const version = z.object({
  version: z.coerce.number().int().min(1).optional().meta({ description: 'default: the newest' }),
});

/** Operations for saved plans; their tag is `plans`. */
export const savedPlansEndpoints = defineEndpoints('plans', {
  listSavedPlans: {
    method: 'GET',
    path: '/api/saved-plans',
    summary: 'List the saved plans, newest first',
    query: pageQuery.extend({ title: titlePart }),
    response: pageOf(saved.savedPlanSummarySchema),
  },
  createSavedPlan: {
    method: 'POST',
    path: '/api/saved-plans',
    summary: 'Save a plan: given, exported, from a completed run, or from a template',
    body: saved.newSavedPlanSchema,
    status: 201,
    response: saved.savedPlanSchema,
    errors: ['not_found', 'invalid_plan', 'run_active', 'saved_plan_exists', 'too_many_saved_plans'],
  },
  getSavedPlan: {
    method: 'GET',
    path: '/api/saved-plans/:saved_plan_id',
    summary: 'Read a saved plan with its parameters and tasks',
    query: version,
    response: saved.savedPlanSchema,
  },
  addSavedPlanVersion: {
    method: 'POST',
    path: '/api/saved-plans/:saved_plan_id/versions',
    summary: 'Add a version to a saved plan; equal content adds none',
    body: saved.newSavedPlanVersionSchema,
    status: 201,
    response: saved.savedPlanSchema,
    errors: ['invalid_plan', 'too_many_saved_plans'],
  },
  deleteSavedPlan: {
    method: 'DELETE',
    path: '/api/saved-plans/:saved_plan_id',
    summary: 'Delete a saved plan with its versions; its runs stay',
  },
  runSavedPlan: {
    method: 'POST',
    path: '/api/saved-plans/:saved_plan_id/runs',
    summary: 'Run a saved plan with values for its parameters',
    body: saved.savedPlanRunSchema,
    status: 202,
    response: planSchema,
    errors: ['invalid_plan', 'run_active', ...budgetProblems],
  },
  exportSavedPlan: {
    method: 'GET',
    path: '/api/saved-plans/:saved_plan_id/export',
    summary: 'Export a saved plan as JSON, which createSavedPlan accepts',
    query: version,
    response: saved.savedPlanDocumentSchema,
  },
  runPlanAgain: {
    method: 'POST',
    path: '/api/plans/:run_id/again',
    summary: 'Run an ended plan again, with the same or other files',
    body: saved.planAgainSchema,
    status: 202,
    response: planSchema,
    errors: ['invalid_plan', 'run_active', ...budgetProblems],
  },
});
