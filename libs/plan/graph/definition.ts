import { messageOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { ModelPort, RunModel, RunnerServices } from '#kit/graph/ports.js';
import { planKind, type PlanRunInputs } from '../contract.js';
import type { AnyGraph, GraphDefinition, GraphState, HeldRun, RunEvents, RunOutcome } from '#engine/kind.js';
import { PLAN_PROMPT_VERSION } from './conversation.js';
import { glanceAt } from '../planner/glance.js';
import { planFacts, type PlanNode } from '../facts.js';
import { buildPlanGraph } from './graph.js';
import type { PlanPorts } from './ports.js';
import { RULE_AGENT_LABEL, RuleAgent } from '../offline/rule-agent.js';
import { completedTasks } from '../dag/attempts.js';
import { newPlanState, type PlanState } from './state.js';

const offlinePlanner = { label: RULE_AGENT_LABEL, model: new RuleAgent() };

/** Ports of a plan besides the model and events. */
export type PlanServices = (
  run: HeldRun,
) => Omit<PlanPorts, 'model' | 'modelLabels' | 'emit' | 'isOffline' | 'glance'>;

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
      glance: () => glanceAt(this.services.session(run).inputs),
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
    const result = { done: completedTasks(state).length, total: state.tasks.length, replans: state.replans };
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
