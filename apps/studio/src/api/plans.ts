import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from './client';
import { queryClient } from './query-client';
import { runsOf } from './runs';

export type Plan = Schemas['Plan'];
export type Approval = Schemas['ApprovalRequired'];
export type PlanTask = Plan['tasks'][number];
type HumanApproval = 'always' | 'critical_only' | 'never';

export const plansQuery = (title?: string) => runsOf({ kind: 'plan', mode: 'run', title });

export const planQuery = (id: string) =>
  queryOptions({
    queryKey: ['plans', id],
    queryFn: () => unwrap(api.GET('/api/plans/{run_id}', { params: { path: { run_id: id } } })),
  });

export const toolsQuery = (query: string) =>
  queryOptions({
    queryKey: ['tools', query],
    queryFn: () =>
      unwrap(api.GET('/api/tools', { params: { query: query === '' ? {} : { query, limit: 20 } } })),
  });

export const toolGraphQuery = queryOptions({
  queryKey: ['tools', 'graph'],
  queryFn: () => unwrap(api.GET('/api/tools/graph')),
});

/** Suggests a plan for an intent over the files of a session, without starting it. @throws ApiProblem */
export const suggestPlan = (sessionId: string, intent: string): Promise<Schemas['PlanSuggestion']> =>
  unwrap(api.POST('/api/plans/suggestions', { body: { session_id: sessionId, intent } }));

/**
 * Starts a plan in a session.
 *
 * @param tasks the plan's steps; suggested from the intent if omitted
 * @throws ApiProblem
 */
export async function startPlan(
  sessionId: string,
  intent: string,
  approval: HumanApproval,
  tasks?: PlanTask[],
): Promise<Plan> {
  const config = { hil: { approval_required: approval } };
  const body = { session_id: sessionId, intent, config, ...(tasks ? { dag: { tasks } } : {}) };
  const plan = await unwrap(api.POST('/api/plans', { body }));
  await queryClient.invalidateQueries({ queryKey: ['runs'] });
  return plan;
}

/** @throws ApiProblem */
export async function sendCommand(id: string, body: Schemas['PlanCommand']): Promise<void> {
  await unwrap(api.POST('/api/plans/{run_id}/commands', { params: { path: { run_id: id } }, body }));
  await queryClient.invalidateQueries({ queryKey: ['plans', id] });
}
