import { z } from 'zod';
import * as schemas from './schemas.js';
import { budgetProblems, defineEndpoints } from '#contracts/api/endpoints/endpoint.js';

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
