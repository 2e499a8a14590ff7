import { graphByTable } from '#kit/graph/graph-by-table.js';
import { Send, START } from '@langchain/langgraph';
import { PLAN_NODES, type PlanNode } from '../facts.js';
import { agentNode, askAgentNode } from './nodes/agent.js';
import { commandsNode, finishNode, replanNode } from './nodes/changes.js';
import type { PlanStep } from './nodes/context.js';
import { prepareNode } from './nodes/prepare.js';
import { collectNode, runTaskNode, startLayer } from './nodes/layers.js';
import { askModelNode } from './nodes/model.js';
import { askOutcomeNode } from './nodes/outcome.js';
import { approveNode } from './nodes/people.js';
import type { PlanPorts } from './ports.js';
import { routingTable } from './routing.js';
import { PlanStateAnnotation, type PlanState } from './state.js';

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
