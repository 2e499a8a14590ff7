import { runErrorOf } from '#kit/graph/failure-state.js';
import type { AnyGraph, GraphDefinition, GraphState, HeldRun, RunEvents, RunOutcome } from '#engine/kind.js';
import { decisionNodes } from '#kit/graph/decision-nodes.js';
import { graphByTable } from '#kit/graph/graph-by-table.js';
import { budgeted, instrumentNode } from '#kit/graph/node.js';
import { writerPorts } from '#kit/graph/offline-writer.js';
import type { RunnerServices } from '#kit/graph/ports.js';
import { START } from '@langchain/langgraph';
import { changeKind } from '../contract.js';
import { changeFacts } from '../facts.js';
import { CHANGE_PROMPT_VERSION } from '../prompts/prompts.js';
import { propose, save, validate } from './nodes.js';
import type { ChangePorts } from './ports.js';
import { ChangeRules } from './rules.js';
import { changeNodes, routingTable, type ChangeNode } from './routing.js';
import { ChangeStateAnnotation, type ChangeNodeFunction, type ChangeState } from './state.js';

/** Ports that a runner provides for changes, in addition to the ports of all kinds. */
export type ChangeServices = (run: HeldRun) => Pick<ChangePorts, 'candidate' | 'fixedWords' | 'keep'>;

/** Builds the uncompiled graph of changes. */
export function buildChangeGraph(ports: ChangePorts) {
  const nodes: Record<ChangeNode, ChangeNodeFunction> = {
    propose_change: budgeted(propose(ports)),
    validate_change: validate(ports),
    save_proposal: save(ports),
    ...decisionNodes(ports, { stopped: 'rejected', text: 'unchanged', byRules: () => null }),
  };
  for (const name of changeNodes) nodes[name] = instrumentNode(name, ports.emit, nodes[name]);
  const graph = graphByTable(ChangeStateAnnotation, changeNodes, nodes, routingTable);
  graph.addEdge(START, 'propose_change');
  return graph;
}

/** Runs of kind `change`. */
export class ChangeDefinition implements GraphDefinition {
  readonly version = changeFacts.version;
  readonly describe = changeFacts.describe;
  readonly results = changeFacts.results;

  constructor(
    private readonly services: RunnerServices,
    private readonly changes: ChangeServices,
  ) {}

  async build(run: HeldRun, events: RunEvents, signal: AbortSignal): Promise<AnyGraph> {
    const graph = buildChangeGraph({
      rules: new ChangeRules(this.services.inThread, signal),
      ...this.changes(run),
      ...(await writerPorts(this.services, run, events, CHANGE_PROMPT_VERSION)),
    });
    return graph as AnyGraph;
  }

  initialState(run: HeldRun): Promise<GraphState> {
    const { decisions: _, ...inputs } = changeKind.inputs.parse(run.inputs);
    return Promise.resolve({ session_id: run.sessionId, inputs });
  }

  outcome(graphState: GraphState): RunOutcome {
    const state = graphState as Partial<ChangeState>;
    if (state.status === 'completed') return { status: 'completed', result: {} };
    return { status: state.status === 'rejected' ? 'rejected' : 'failed', error: runErrorOf(state) };
  }
}
