import { END, otherwise, type Row } from '#kit/graph/routing.js';
import { dueTasks, needsApproval } from '../dag/progress.js';
import { failedTask } from '../dag/attempts.js';
import type { PlanNode } from '../facts.js';
import type { PlanState } from './state.js';

type PlanRow = Row<PlanNode, PlanState>;

const isOver = ({ status }: PlanState): boolean => ['failed', 'rejected', 'aborted'].includes(status);

/** Returns whether an agent decides after the layer that is complete (P1). */
function hasAgent(state: PlanState): boolean {
  const { decision_points: points } = state.config.ail;
  const isFailed = failedTask(state) !== undefined;
  return (
    points === 'per_layer' || (isFailed && (points === 'on_error' || state.config.on_task_error === 'ask'))
  );
}

const failedModel = (from: PlanNode): PlanRow => ({
  from,
  to: 'ask_model',
  when: 'the model failed',
  holds: ({ model_recovery: recovery }) => recovery.failure !== null,
});

const replanning = (from: PlanNode): PlanRow => ({
  from,
  to: 'replan',
  when: 'a new requirement',
  holds: (state) => Boolean(state.requirement) && !isOver(state),
});

/** Rows to the agent that decides: a model or the client. */
const agentRows = (from: PlanNode, when: string, holds: PlanRow['holds']): PlanRow[] => [
  {
    from,
    to: 'agent',
    when: `${when}, of a model`,
    holds: (state) => holds(state) && state.config.ail.agent === 'model',
  },
  { from, to: 'ask_agent', when: `${when}, of the client`, holds },
];

/** Rows to the next layer: first approval if required (P5), then commands (P4). */
const layerRows = (from: PlanNode): PlanRow[] => [
  {
    from,
    to: 'finish',
    when: 'the plan is over, or is only made',
    holds: (state) => isOver(state) || state.config.plan_only === true,
  },
  { from, to: 'approve', when: 'the next layer needs approval', holds: needsApproval },
  { from, to: 'commands', ...otherwise },
];

/**
 * Rows after a layer and its checkpoint: first a person for each call that may have taken effect and for a failed
 * model, then the agent if it decides (P1).
 */
const layerEndRows = (from: PlanNode): PlanRow[] => [
  { from, to: 'finish', when: 'the plan is over', holds: isOver },
  {
    from,
    to: 'ask_outcome',
    when: 'a call may have taken effect',
    holds: ({ unknown }) => unknown.length > 0,
  },
  failedModel(from),
  ...agentRows(from, 'a decision is due', hasAgent),
  ...layerRows(from),
];

/** Routes of the graph of plans (P1, P4, P5, P7). A node follows its first row with a true condition. */
export const routingTable: readonly PlanRow[] = [
  failedModel('prepare'),
  ...layerRows('prepare'),
  ...layerRows('approve'),
  failedModel('commands'),
  {
    from: 'commands',
    to: 'finish',
    when: 'the plan is over, or no step is due',
    holds: (state) => isOver(state) || dueTasks(state).length === 0,
  },
  ...agentRows('commands', 'a command requested a decision', (state) => state.decision_requested),
  { from: 'commands', to: 'approve', when: 'the next layer needs approval', holds: needsApproval },
  { from: 'commands', to: 'start_layer', ...otherwise },
  { from: 'start_layer', to: 'run_task', when: 'always, once for each step of the layer', holds: () => true },
  { from: 'run_task', to: 'collect', when: 'always, after all steps of the layer', holds: () => true },
  ...layerEndRows('collect'),
  ...layerEndRows('ask_outcome'),
  {
    from: 'ask_model',
    to: 'prepare',
    when: 'the plan is not made',
    holds: ({ status }) => status === 'planning',
  },
  replanning('ask_model'),
  ...layerEndRows('ask_model'),
  {
    from: 'agent',
    to: 'ask_agent',
    when: 'the model gave no valid decision',
    holds: ({ undecided }) => undecided,
  },
  replanning('agent'),
  ...layerRows('agent'),
  replanning('ask_agent'),
  ...layerRows('ask_agent'),
  failedModel('replan'),
  ...layerRows('replan'),
  { from: 'finish', to: END, when: 'always', holds: () => true },
];
