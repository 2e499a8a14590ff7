import { apiQuery, change, type Schemas } from './api-query';

export type Plan = Schemas['Plan'];
export type Approval = Schemas['ApprovalRequired'];
export type PlanTask = Plan['tasks'][number];
type PlanConfig = NonNullable<Schemas['NewPlan']['config']>;
/** Rule for task errors. */
type OnTaskError = NonNullable<PlanConfig['on_task_error']>;
type HumanApproval = 'always' | 'critical_only' | 'never';

export const planQuery = (id: string) => apiQuery(['plans', id], '/api/plans/{run_id}', { run_id: id });

export const toolsQuery = apiQuery(['tools'], '/api/tools', {});

export const templatesQuery = apiQuery(['plans', 'templates'], '/api/plans/templates', {});

export const savedPlansQuery = apiQuery(['saved-plans'], '/api/saved-plans', { limit: 100 });
export type SavedPlan = Schemas['SavedPlanSummary'];

/** When a person is asked for approval, and what happens after a task fails. */
export interface PlanRules {
  approval: HumanApproval;
  onError: OnTaskError;
}
const configFor = ({ approval, onError }: PlanRules) => ({
  hil: { approval_required: approval },
  on_task_error: onError,
});

/**
 * Starts a plan in a session.
 *
 * @param wanted the goal, with the plan's steps if it is not made for the goal; or the values of a template or saved plan
 * @throws ApiProblem
 */
export const startPlan = (
  session_id: string,
  rules: PlanRules,
  wanted: Pick<Schemas['NewPlan'], 'intent' | 'dag' | 'template' | 'parameters'>,
  saved_plan_id?: string,
) => {
  const body = { session_id, config: configFor(rules), ...wanted };
  return saved_plan_id === undefined
    ? change('POST /api/plans', { body }, ['runs'])
    : change('POST /api/saved-plans/{saved_plan_id}/runs', { saved_plan_id, body }, ['runs']);
};

/** @throws ApiProblem */
export const sendCommand = (id: string, body: Schemas['PlanCommand']) =>
  change('POST /api/plans/{run_id}/commands', { run_id: id, body }, ['plans', id]);
