import { END, Send, START, StateGraph } from '@langchain/langgraph';
import { agentNode, askAgentNode } from './nodes/agent.js';
import { commandsNode, finishNode, replanNode } from './nodes/changes.js';
import { prepareNode } from './nodes/prepare.js';
import { collectNode, runTaskNode, startLayer, type TaskOfLayer } from './nodes/layers.js';
import { askModelNode } from './nodes/model.js';
import { askOutcomeNode } from './nodes/outcome.js';
import { approveNode } from './nodes/people.js';
import type { PlanPorts } from './ports.js';
import {
  afterAgent,
  afterCollect,
  afterCommands,
  afterModel,
  afterPlanning,
  beforeLayer,
} from './routing.js';
import { PlanStateAnnotation, type PlanState } from './state.js';

const AFTER_COLLECT: ReturnType<typeof afterCollect>[] = [
  'ask_outcome',
  'ask_model',
  'agent',
  'ask_agent',
  'approve',
  'commands',
  'finish',
];

const AFTER_COMMANDS: ReturnType<typeof afterCommands>[] = [
  'ask_model',
  'agent',
  'ask_agent',
  'approve',
  'start_layer',
  'finish',
];

/** Builds the graph of a plan: layer → checkpoint → agent → person → commands → next layer (P5). */
export function buildPlanGraph(ports: PlanPorts) {
  const runTask = runTaskNode(ports);
  return new StateGraph(PlanStateAnnotation)
    .addNode('prepare', prepareNode(ports))
    .addNode('approve', approveNode(ports))
    .addNode('commands', commandsNode(ports))
    .addNode('start_layer', startLayer(ports))
    .addNode('run_task', (given: object, config) => runTask(given as TaskOfLayer, config))
    .addNode('collect', collectNode(ports))
    .addNode('ask_outcome', askOutcomeNode(ports))
    .addNode('ask_model', askModelNode(ports))
    .addNode('agent', agentNode(ports))
    .addNode('ask_agent', askAgentNode(ports))
    .addNode('replan', replanNode(ports))
    .addNode('finish', finishNode(ports))
    .addEdge(START, 'prepare')
    .addConditionalEdges('prepare', afterPlanning, ['ask_model', 'approve', 'commands', 'finish'])
    .addConditionalEdges('approve', beforeLayer, ['approve', 'commands', 'finish'])
    .addConditionalEdges('commands', afterCommands, AFTER_COMMANDS)
    .addConditionalEdges('start_layer', tasksOfLayer, ['run_task'])
    .addEdge('run_task', 'collect')
    .addConditionalEdges('collect', afterCollect, AFTER_COLLECT)
    .addConditionalEdges('ask_outcome', afterCollect, AFTER_COLLECT)
    .addConditionalEdges('ask_model', afterModel, ['prepare', 'replan', ...AFTER_COLLECT])
    .addConditionalEdges('agent', afterAgent, ['ask_agent', 'replan', 'approve', 'commands', 'finish'])
    .addConditionalEdges('ask_agent', afterAgent, ['replan', 'approve', 'commands', 'finish'])
    .addConditionalEdges('replan', afterPlanning, ['ask_model', 'approve', 'commands', 'finish'])
    .addEdge('finish', END);
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
