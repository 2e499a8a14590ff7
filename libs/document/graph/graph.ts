import type { RunnableConfig } from '@langchain/core/runnables';
import { END, START, StateGraph } from '@langchain/langgraph';
import { stepKey } from '#kit/graph/step.js';
import { agent } from './nodes/agent.js';
import { scanAssets } from './nodes/assets.js';
import { budgetDecision } from './nodes/budget.js';
import { modelDecision } from './nodes/model.js';
import { convert, errorHandler, parseToJson, qualityCheck } from './nodes/conversion.js';
import { encodingDecision } from './nodes/encodings.js';
import { unreadableDecision } from './nodes/unreadable.js';
import { fixDecision, humanInput } from './nodes/human.js';
import { tools } from './nodes/tools.js';
import { checkpoint, validateMd } from './nodes/validation.js';
import type { DocumentPorts } from './ports.js';
import { nextNode, routingTable } from './routing.js';
import type { DocumentNode } from '../facts/nodes.js';
import { DocumentStateAnnotation, type DocumentState, type DocumentUpdate } from './state.js';

type NodeFunction = (
  state: DocumentState,
  config: RunnableConfig,
) => DocumentUpdate | Promise<DocumentUpdate>;

/** State keys whose changes clients see. */
const PUBLIC_KEYS = [
  'status',
  'current_chapter',
  'current_file_index',
  'document_outline',
  'coverage',
  'last_error',
  'error_type',
] as const;

/** Emits what a node did, with the key of its step, so that a repeated step emits nothing new. */
function announced(name: DocumentNode, ports: DocumentPorts, node: NodeFunction): NodeFunction {
  return async (state, config) => {
    const update = await node(state, config);
    const key = stepKey(config);
    const chapter = state.current_chapter;
    ports.emit({ type: 'node_complete', data: { node: name, chapter }, effectKey: `${key}/node_complete` });
    const changed = PUBLIC_KEYS.filter((k) => update[k] !== undefined && update[k] !== state[k]);
    if (changed.length > 0) {
      const data = Object.fromEntries(changed.map((k) => [k, update[k]]));
      ports.emit({ type: 'state_updated', data: { ...data, node: name }, effectKey: `${key}/state_updated` });
    }
    return update;
  };
}

/**
 * Builds the uncompiled document graph (D4–D34); the run engine compiles it with its checkpointer.
 *
 * `scan_assets`, `encoding_decision`, `unreadable_decision`, `human_input`, `budget_decision`, `model_decision`,
 * `fix_decision`, `validate_md`, `parse_to_json`, `convert` and `quality_check` are remote: they interrupt with a task. The other nodes run
 * in the agent-runner.
 */
export function buildDocumentGraph(ports: DocumentPorts) {
  const nodes: Record<DocumentNode, NodeFunction> = {
    scan_assets: scanAssets,
    encoding_decision: encodingDecision(ports.settings),
    unreadable_decision: unreadableDecision(ports.settings),
    human_input: humanInput(ports.settings),
    agent: agent(ports),
    budget_decision: budgetDecision(ports),
    model_decision: modelDecision(ports),
    tools: tools(ports),
    validate_md: validateMd(ports),
    fix_decision: fixDecision(ports.settings),
    checkpoint: checkpoint(ports),
    parse_to_json: parseToJson,
    convert: convert(ports),
    quality_check: qualityCheck,
    error_handler: errorHandler(ports),
  };
  const graph = new StateGraph(DocumentStateAnnotation);
  const names = Object.keys(nodes) as DocumentNode[];
  for (const name of names) graph.addNode(name, announced(name, ports, nodes[name]));
  const wired = graph as StateGraph<
    typeof DocumentStateAnnotation.spec,
    DocumentState,
    DocumentUpdate,
    DocumentNode | typeof START
  >;
  wired.addEdge(START, 'scan_assets');
  for (const name of names) {
    const targets = [...new Set(routingTable.filter((row) => row.from === name).map((row) => row.to))];
    wired.addConditionalEdges(
      name,
      (state: DocumentState) => nextNode(name, state),
      targets as (DocumentNode | typeof END)[],
    );
  }
  return wired;
}
