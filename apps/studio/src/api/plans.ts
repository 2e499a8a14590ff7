import { apiChange, apiQuery } from './api-query';
import { api, type Schemas, unwrap } from './client';
import { runsOf } from './runs';

export type Plan = Schemas['Plan'];
export type Approval = Schemas['ApprovalRequired'];
export type PlanTask = Plan['tasks'][number];
type PlanConfig = NonNullable<Schemas['NewPlan']['config']>;
/** Rule for task errors. */
export type OnTaskError = NonNullable<PlanConfig['on_task_error']>;
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

export const templatesQuery = apiQuery(['plans', 'templates'], '/api/plans/templates', {});
export type PlanTemplate = Schemas['PlanTemplates']['items'][number];

/**
 * Starts a plan in a session.
 *
 * @param rules when a person is asked for approval, and what happens after a task fails
 * @param wanted the goal, with the plan's steps if it is not made for the goal; or a template with its values
 * @throws ApiProblem
 */
export const startPlan = (
  sessionId: string,
  rules: { approval: HumanApproval; onError: OnTaskError },
  wanted: Pick<Schemas['NewPlan'], 'intent' | 'dag' | 'template' | 'parameters'>,
) => {
  const config = { hil: { approval_required: rules.approval }, on_task_error: rules.onError };
  return apiChange(api.POST('/api/plans', { body: { session_id: sessionId, config, ...wanted } }), ['runs']);
};

/** @throws ApiProblem */
export const sendCommand = (id: string, body: Schemas['PlanCommand']) =>
  apiChange(api.POST('/api/plans/{run_id}/commands', { params: { path: { run_id: id } }, body }), [
    'plans',
    id,
  ]);
