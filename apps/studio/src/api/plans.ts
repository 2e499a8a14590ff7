import { apiChange, apiQuery } from './api-query';
import { api, type Schemas, unwrap } from './client';
import { runsOf } from './runs';

export type Plan = Schemas['Plan'];
export type Approval = Schemas['ApprovalRequired'];
export type PlanTask = Plan['tasks'][number];
type HumanApproval = 'always' | 'critical_only' | 'never';

export const plansQuery = (title?: string) => runsOf({ kind: 'plan', mode: 'run', title });

export const planQuery = (id: string) =>
  apiQuery(['plans', id], '/api/plans/{run_id}', { path: { run_id: id } });

export const toolsQuery = (query: string) =>
  apiQuery(['tools', query], '/api/tools', { query: query === '' ? {} : { query, limit: 20 } });

export const toolGraphQuery = apiQuery(['tools', 'graph'], '/api/tools/graph', {});

/** Suggests a plan for an intent over the files of a session, without starting it. @throws ApiProblem */
export const suggestPlan = (sessionId: string, intent: string): Promise<Schemas['PlanSuggestion']> =>
  unwrap(api.POST('/api/plans/suggestions', { body: { session_id: sessionId, intent } }));

/**
 * Starts a plan in a session.
 *
 * @param tasks the plan's steps; suggested from the intent if omitted
 * @throws ApiProblem
 */
export const startPlan = (sessionId: string, intent: string, approval: HumanApproval, tasks?: PlanTask[]) => {
  const config = { hil: { approval_required: approval } };
  const body = { session_id: sessionId, intent, config, ...(tasks ? { dag: { tasks } } : {}) };
  return apiChange(api.POST('/api/plans', { body }), ['runs']);
};

/** @throws ApiProblem */
export const sendCommand = (id: string, body: Schemas['PlanCommand']) =>
  apiChange(api.POST('/api/plans/{run_id}/commands', { params: { path: { run_id: id } }, body }), [
    'plans',
    id,
  ]);
