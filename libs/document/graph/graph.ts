import { START } from '@langchain/langgraph';
import { graphByTable } from '#kit/graph/graph-by-table.js';
import { reportNode, type NodeFunction, stepKey } from '#kit/graph/node.js';
import { agent } from './nodes/agent.js';
import { scanAssets } from './nodes/assets.js';
import { budgetDecision, modelDecision } from './nodes/model.js';
import { convert, errorHandler, parseToJson, qualityCheck } from './nodes/conversion.js';
import { encodingDecision } from './nodes/encodings.js';
import { unreadableDecision } from './nodes/unreadable.js';
import { fixDecision, humanInput } from './nodes/human.js';
import { tools } from './nodes/tools.js';
import { checkpoint, validateMd } from './nodes/validation.js';
import type { DocumentPorts } from './ports.js';
import { routingTable } from './routing.js';
import { documentNodes, type DocumentNode } from '../facts/nodes.js';
import { DocumentStateAnnotation, type DocumentState, type DocumentUpdate } from './state.js';

type DocumentNodeFunction = NodeFunction<DocumentState, DocumentUpdate>;
type GivenNode = (...args: Parameters<DocumentNodeFunction>) => DocumentUpdate | Promise<DocumentUpdate>;

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

/** Reports a node, and emits the changes of the state that clients see, with the key of its step, so that a repeated step emits nothing new. */
function announced(name: DocumentNode, ports: DocumentPorts, given: GivenNode): DocumentNodeFunction {
  const emit: DocumentPorts['emit'] = (event) => ports.emit(event);
  const chapterOf = ({ current_chapter: chapter }: DocumentState) => ({ chapter });
  const node = reportNode(name, emit, given, chapterOf, () => ({}));
  return async (state, config) => {
    const update = await node(state, config);
    const changed = PUBLIC_KEYS.filter((key) => update[key] !== undefined && update[key] !== state[key]);
    if (changed.length > 0) {
      const data = { ...Object.fromEntries(changed.map((key) => [key, update[key]])), node: name };
      emit({ type: 'state_updated', data, effectKey: `${stepKey(config)}/state_updated` });
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
  const given: Record<DocumentNode, GivenNode> = {
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
  const nodes = {} as Record<DocumentNode, DocumentNodeFunction>;
  for (const name of documentNodes) nodes[name] = announced(name, ports, given[name]);
  const graph = graphByTable(DocumentStateAnnotation, documentNodes, nodes, routingTable);
  const first = ({ export_only }: DocumentState) => (export_only ? 'validate_md' : 'scan_assets');
  graph.addConditionalEdges(START, first, ['scan_assets', 'validate_md']);
  return graph;
}
