import { z } from 'zod';
import * as schemas from './schemas.js';
import { budgetProblems, defineEndpoints } from '#contracts/api/endpoints/endpoint.js';
import { pageOf, pageQuery, titlePart } from '#contracts/api/paging.js';
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

/** Operations with the tag `plans`. */
export const plansEndpoints = defineEndpoints('plans', {
  startPlan: {
    method: 'POST',
    path: '/api/plans',
    summary:
      'Start a plan: a graph of tool calls, given, from a template, or made by the model for a request',
    body: schemas.newPlanSchema,
    status: 202,
    response: schemas.planSchema,
    errors: ['invalid_plan', 'needs_model', 'not_found', 'run_active', ...budgetProblems],
  },
  suggestPlan: {
    method: 'POST',
    path: '/api/plans/suggestions',
    summary: 'Suggest a plan for a request, without starting it',
    body: schemas.newSuggestionSchema,
    response: schemas.suggestionSchema,
    errors: ['needs_model', 'not_found', 'run_active', 'model_failed', ...budgetProblems],
  },
  listPlanTemplates: {
    method: 'GET',
    path: '/api/plans/templates',
    summary: 'List the templates of plans, which run without a model',
    response: schemas.planTemplatesSchema,
  },
  getPlan: {
    method: 'GET',
    path: '/api/plans/:run_id',
    summary: 'Read a plan: tasks, layers, results and its open question',
    response: schemas.planSchema,
  },
  commandPlan: {
    method: 'POST',
    path: '/api/plans/:run_id/commands',
    summary: 'Continue, abort or replan a plan, or answer its request for approval',
    body: schemas.newPlanCommandSchema,
    status: 202,
    response: schemas.acceptedCommandSchema,
    errors: ['run_finished', 'decision_stale', 'decision_answered', 'invalid_answer', 'not_assignee'],
  },
  getPlanResult: {
    method: 'GET',
    path: '/api/plans/:run_id/tasks/:name/result',
    summary: 'Read the full result of a task of a plan',
    media: 'application/json',
  },
  listTools: {
    method: 'GET',
    path: '/api/tools',
    summary: 'List the tools that plans can use; with a query, the best matches first',
    query: z.object({
      query: z.string().min(1).max(2_000).optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
    }),
    response: schemas.toolsSchema,
  },
  getToolGraph: {
    method: 'GET',
    path: '/api/tools/graph',
    summary: 'Read what was learned about the tools: ranks, co-use, requests',
    response: schemas.toolGraphSchema,
  },
  resetToolGraph: {
    method: 'POST',
    path: '/api/tools/graph/reset',
    summary: 'Delete what was learned about the tools',
    response: schemas.toolGraphSchema,
  },
});
