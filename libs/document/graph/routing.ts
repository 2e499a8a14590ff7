import { AIMessage } from '@langchain/core/messages';
import { END } from '@langchain/langgraph';
import type { DocumentNode } from '../facts/nodes.js';
import { MAX_FIX_ATTEMPTS } from './nodes/validation.js';
import { allFilesProcessed, isFullyValidated, type DocumentState } from './state.js';

type Target = DocumentNode | typeof END;

/** Row of the routing table. A node follows its first row with a true condition. */
export interface Route {
  from: DocumentNode;
  condition: string;
  when: (state: DocumentState) => boolean;
  to: Target;
}

const failed = (state: DocumentState) => state.status === 'failed';
const otherwise = () => true;
const hasToolCalls = (state: DocumentState) => {
  const last = state.messages.at(-1);
  return last instanceof AIMessage && (last.tool_calls ?? []).length > 0;
};
const readyForExport = (state: DocumentState) =>
  (state.generation_complete || allFilesProcessed(state)) && isFullyValidated(state);

/** Routing table (D21, D23, D24, D33); the documentation's table is generated from it. */
export const routingTable: readonly Route[] = [
  { from: 'scan_assets', condition: 'failed', when: failed, to: END },
  {
    from: 'scan_assets',
    condition: 'undecoded inputs',
    when: (s) => s.undecoded.length > 0,
    to: 'encoding_decision',
  },
  {
    from: 'scan_assets',
    condition: 'unreadable inputs',
    when: (s) => s.unreadable.length > 0,
    to: 'unreadable_decision',
  },
  {
    from: 'scan_assets',
    condition: 'pending_question',
    when: (s) => s.pending_question !== null,
    to: 'human_input',
  },
  { from: 'scan_assets', condition: 'otherwise', when: otherwise, to: 'agent' },

  { from: 'encoding_decision', condition: 'always', when: otherwise, to: 'scan_assets' },

  { from: 'unreadable_decision', condition: 'abort', when: failed, to: END },
  { from: 'unreadable_decision', condition: 'otherwise', when: otherwise, to: 'scan_assets' },

  { from: 'human_input', condition: 'always', when: otherwise, to: 'agent' },

  { from: 'agent', condition: 'step limit reached', when: failed, to: END },
  {
    from: 'agent',
    condition: 'budget_shortfall: the call was not made',
    when: (s) => s.budget_shortfall !== null,
    to: 'budget_decision',
  },
  {
    from: 'agent',
    condition: 'model_recovery.failure: the model failed',
    when: (s) => s.model_recovery.failure !== null,
    to: 'model_decision',
  },
  { from: 'agent', condition: 'the answer has tool calls', when: hasToolCalls, to: 'tools' },
  { from: 'agent', condition: 'malformed answer', when: (s) => s.malformed_calls > 0, to: 'agent' },
  {
    from: 'agent',
    condition: 'words without a tool call, while work is left',
    when: (s) => !s.generation_complete,
    to: 'agent',
  },
  {
    from: 'agent',
    condition: 'generation_complete, manuscript validated against every source',
    when: isFullyValidated,
    to: 'parse_to_json',
  },
  {
    from: 'agent',
    condition: 'generation_complete, manuscript not yet validated',
    when: otherwise,
    to: 'validate_md',
  },

  { from: 'budget_decision', condition: 'stop', when: failed, to: END },
  { from: 'budget_decision', condition: 'otherwise', when: otherwise, to: 'agent' },

  { from: 'model_decision', condition: 'stop', when: failed, to: END },
  { from: 'model_decision', condition: 'otherwise', when: otherwise, to: 'agent' },

  {
    from: 'tools',
    condition: 'pending_question',
    when: (s) => s.pending_question !== null,
    to: 'human_input',
  },
  {
    from: 'tools',
    condition: 'chapter_checkpoint_pending',
    when: (s) => s.chapter_checkpoint_pending,
    to: 'validate_md',
  },
  {
    from: 'tools',
    condition: 'generation_complete or all files processed, manuscript validated',
    when: readyForExport,
    to: 'parse_to_json',
  },
  { from: 'tools', condition: 'otherwise', when: otherwise, to: 'agent' },

  { from: 'validate_md', condition: 'the validation was not done', when: failed, to: END },
  {
    from: 'validate_md',
    condition: 'validation_passed',
    when: (s) => s.validation_passed === true,
    to: 'checkpoint',
  },
  {
    from: 'validate_md',
    condition: `failed, fix_attempts was < ${MAX_FIX_ATTEMPTS}`,
    when: (s) => !s.fix_exhausted,
    to: 'agent',
  },
  {
    from: 'validate_md',
    condition: `failed, fix_attempts was ${MAX_FIX_ATTEMPTS}`,
    when: otherwise,
    to: 'fix_decision',
  },

  { from: 'fix_decision', condition: 'abort', when: failed, to: END },
  { from: 'fix_decision', condition: 'accept', when: (s) => s.validation_passed === true, to: 'checkpoint' },
  { from: 'fix_decision', condition: 'retry', when: otherwise, to: 'agent' },

  { from: 'checkpoint', condition: 'always', when: otherwise, to: 'agent' },

  {
    from: 'parse_to_json',
    condition: 'structure.json written',
    when: (s) => s.structure_json_path !== null,
    to: 'convert',
  },
  { from: 'parse_to_json', condition: 'otherwise', when: otherwise, to: 'error_handler' },
  {
    from: 'convert',
    condition: 'DOCX written',
    when: (s) => s.output_docx_path !== null,
    to: 'quality_check',
  },
  { from: 'convert', condition: 'otherwise', when: otherwise, to: 'error_handler' },
  { from: 'quality_check', condition: 'passed', when: (s) => s.status === 'completed', to: END },
  { from: 'quality_check', condition: 'otherwise', when: otherwise, to: 'error_handler' },
  {
    from: 'error_handler',
    condition: 'conversion_attempts exhausted, or no text mends it',
    when: failed,
    to: END,
  },
  { from: 'error_handler', condition: 'a retry is due', when: otherwise, to: 'agent' },
];

/** Returns the node (or END) after `from` in the given state. */
export function nextNode(from: DocumentNode, state: DocumentState): Target {
  const route = routingTable.find((row) => row.from === from && row.when(state));
  if (!route) throw new Error(`no route leaves ${from}`);
  return route.to;
}
