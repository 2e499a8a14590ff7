import { messageOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { ModelPort, RunModel, RunnerServices } from '#kit/graph/ports.js';
import { planKind, type PlanRunInputs } from '../contract.js';
import type { AnyGraph, GraphDefinition, GraphState, HeldRun, RunEvents, RunOutcome } from '#engine/kind.js';
import { PLAN_PROMPT_VERSION } from './conversation.js';
import { glanceAt } from '../planner/glance.js';
import { planFacts, type PlanNode, PLAN_NODES } from '../facts.js';
import type { PlanPorts } from './ports.js';
import { RULE_AGENT_LABEL, RuleAgent } from '../offline/rule-agent.js';
import { completedTasks, failedTask } from '../dag/attempts.js';
import { newPlanState, type PlanState, PlanStateAnnotation } from './state.js';
import type { TableGlance } from '../tools/check/tables.worker.js';
import { graphByTable } from '#kit/graph/graph-by-table.js';
import { Send, START } from '@langchain/langgraph';
import { agentNode, askAgentNode } from './nodes/agent.js';
import { commandsNode, finishNode, replanNode } from './nodes/changes.js';
import type { PlanStep } from './nodes/context.js';
import { prepareNode } from './nodes/prepare.js';
import { collectNode, runTaskNode, startLayer } from './nodes/layers.js';
import { askBudgetNode, askModelNode } from './nodes/model.js';
import { askOutcomeNode } from './nodes/outcome.js';
import { approveNode } from './nodes/people.js';
import { END, otherwise, type Row } from '#kit/graph/routing.js';
import { dueTasks, needsApproval } from '../dag/progress.js';
import { warningsOf } from '../dag/warnings.js';

const offlinePlanner = { label: RULE_AGENT_LABEL, model: new RuleAgent(), isChosen: false };

/** Ports of a plan besides the model and events. */
export type PlanServices = (run: HeldRun) => Omit<
  PlanPorts,
  'model' | 'modelLabels' | 'emit' | 'isOffline' | 'glance'
> & {
  /** Returns the beginnings of the tables in an input, the default first; none if they cannot be read. */
  tablesIn(name: string): Promise<TableGlance[]>;
};

/** Runs of kind `plan`: a graph of tools with approvals, re-planning and learning (P1–P13). */
export class PlanDefinition implements GraphDefinition {
  readonly version = planFacts.version;
  readonly describe = planFacts.describe;
  readonly readingNodes = ['prepare', 'commands', 'start_layer', 'collect'] satisfies PlanNode[];

  constructor(
    private readonly services: RunnerServices,
    private readonly planServices: PlanServices,
  ) {}

  build(run: HeldRun, events: RunEvents): Promise<AnyGraph> {
    const services = this.planServices(run);
    const model = this.modelOf(run, events);
    const graph = buildPlanGraph({
      ...services,
      ...(run.isNew && inputsOf(run).dag ? { tools: begun(services.tools) } : {}),
      model,
      isOffline: model.isOffline,
      modelLabels: model.modelLabels,
      glance: (isRead) => glanceAt(this.services.session(run).inputs, services.tablesIn, isRead),
      emit: (event) => events.emit(event),
    });
    return Promise.resolve(graph as AnyGraph);
  }

  async initialState(run: HeldRun): Promise<GraphState> {
    const { intent, dag, context, config } = inputsOf(run);
    const files = await this.services.session(run).inputs.list();
    return newPlanState({
      session_id: run.sessionId,
      input_files: files.map(({ name }) => name),
      intent: intent ?? null,
      config,
      tasks: dag?.tasks ?? [],
      context: context ?? {},
    });
  }

  outcome(graphState: GraphState): RunOutcome {
    const state = graphState as GraphState & PlanState;
    const result = {
      done: completedTasks(state).length,
      total: state.tasks.length,
      replans: state.replans,
      warnings: warningsOf(state),
    };
    if (state.status === 'completed') return { status: 'completed', result };
    const error = state.error ?? {
      code: 'run_failed',
      ...messageOf(phrase('run_error.plan_failed.no_result')),
    };
    return { status: state.status === 'failed' ? 'failed' : 'rejected', error, result };
  }

  /** Returns a model that is created on the first call, because most plans need none. */
  private modelOf(run: HeldRun, events: RunEvents): ModelPort & Pick<PlanPorts, 'isOffline' | 'modelLabels'> {
    let created: Promise<RunModel> | null = null;
    const model = () => (created ??= this.services.model(run, events, offlinePlanner, PLAN_PROMPT_VERSION));
    return {
      modelLabels: model,
      isOffline: async () => (await model()).label === RULE_AGENT_LABEL,
      call: async (request) => (await model()).call(request),
      setBudget: async (unit, amount) => (await model()).setBudget(unit, amount),
    };
  }
}

/**
 * Starts a request immediately and once, so that a new plan is checked while the run's first state is made.
 */
function begun<T>(ask: () => Promise<T>): () => Promise<T> {
  const asked = ask();
  asked.catch(() => undefined); // the awaiting caller gets the error
  return () => asked;
}

function inputsOf(run: HeldRun): PlanRunInputs {
  return planKind.inputs.parse(run.inputs);
}

/** Builds the graph of a plan: layer → checkpoint → agent → person → commands → next layer (P5). */
export function buildPlanGraph(ports: PlanPorts) {
  const nodes: Record<PlanNode, PlanStep> = {
    prepare: prepareNode(ports),
    approve: approveNode(ports),
    commands: commandsNode(ports),
    start_layer: startLayer(ports),
    // Its input is a `TaskOfLayer`, sent by `start_layer`.
    run_task: runTaskNode(ports) as unknown as PlanStep,
    collect: collectNode(ports),
    ask_outcome: askOutcomeNode(ports),
    ask_model: askModelNode(ports),
    ask_budget: askBudgetNode(ports),
    agent: agentNode(ports),
    ask_agent: askAgentNode(ports),
    replan: replanNode(ports),
    finish: finishNode(ports),
  };
  const graph = graphByTable(PlanStateAnnotation, PLAN_NODES, nodes, routingTable, {
    start_layer: tasksOfLayer,
  });
  graph.addEdge(START, 'prepare');
  return graph;
}

/** Returns one send per plan step of the layer, so that they run concurrently. */
function tasksOfLayer(state: PlanState): Send[] {
  return state.running.map((id) => new Send('run_task', { plan_task: id, state: forTasks(state) }));
}

/** Returns the state that a plan step needs; conversation and decisions are not copied for each. */
function forTasks(state: PlanState): PlanState {
  return {
    ...state,
    messages: [],
    decisions: [],
    results: state.results.map((result) => ({ ...result, result: null })),
  };
}

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

const shortOfBudget = (from: PlanNode): PlanRow => ({
  from,
  to: 'ask_budget',
  when: 'the budget is too low',
  holds: ({ budget_shortfall: shortfall }) => Boolean(shortfall),
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
 * model, then the planner if it gets errors of tasks, then the agent if it decides (P1).
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
  shortOfBudget(from),
  replanning(from),
  ...agentRows(from, 'a decision is due', hasAgent),
  ...layerRows(from),
];

/** Rows after a question about the model or the budget: back to what asked the model. */
const afterQuestion = (from: PlanNode): PlanRow[] => [
  { from, to: 'prepare', when: 'the plan is not made', holds: ({ status }) => status === 'planning' },
  ...layerEndRows(from),
];

/** Routes of the graph of plans (P1, P4, P5, P7). A node follows its first row with a true condition. */
export const routingTable: readonly PlanRow[] = [
  failedModel('prepare'),
  shortOfBudget('prepare'),
  ...layerRows('prepare'),
  ...layerRows('approve'),
  failedModel('commands'),
  shortOfBudget('commands'),
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
  ...afterQuestion('ask_model'),
  ...afterQuestion('ask_budget'),
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
  shortOfBudget('replan'),
  ...layerRows('replan'),
  { from: 'finish', to: END, when: 'always', holds: () => true },
];
