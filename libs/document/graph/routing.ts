import { AIMessage } from '@langchain/core/messages';
import { END, nextByTable, type Row } from '#kit/graph/routing.js';
import type { DocumentNode } from '../facts/nodes.js';
import { MAX_FIX_ATTEMPTS } from './nodes/validation.js';
import { allFilesProcessed, isFullyValidated, type DocumentState } from './state.js';

const failed = (state: DocumentState) => state.status === 'failed';
const otherwise = () => true;
const hasToolCalls = (state: DocumentState) => {
  const last = state.messages.at(-1);
  return last instanceof AIMessage && (last.tool_calls ?? []).length > 0;
};
/** With images, only the end of the writing leads to export: the program then adds those that no text shows. */
const readyForExport = (state: DocumentState) =>
  (state.generation_complete ||
    (allFilesProcessed(state) && state.text_files.length === state.input_files.length)) &&
  isFullyValidated(state);

/**
 * Routing table (D21, D23, D24, D33). A node follows its first row with a true condition; the documentation's
 * table is generated from it.
 */
export const routingTable: readonly Row<DocumentNode, DocumentState>[] = [
  { from: 'scan_assets', when: 'failed', holds: failed, to: END },
  {
    from: 'scan_assets',
    when: 'undecoded inputs',
    holds: (s) => s.undecoded.length > 0,
    to: 'encoding_decision',
  },
  {
    from: 'scan_assets',
    when: 'unreadable inputs',
    holds: (s) => s.unreadable.length > 0,
    to: 'unreadable_decision',
  },
  {
    from: 'scan_assets',
    when: 'pending_question',
    holds: (s) => s.pending_question !== null,
    to: 'human_input',
  },
  { from: 'scan_assets', when: 'otherwise', holds: otherwise, to: 'agent' },

  { from: 'encoding_decision', when: 'always', holds: otherwise, to: 'scan_assets' },

  { from: 'unreadable_decision', when: 'abort', holds: failed, to: END },
  { from: 'unreadable_decision', when: 'otherwise', holds: otherwise, to: 'scan_assets' },

  { from: 'human_input', when: 'always', holds: otherwise, to: 'agent' },

  { from: 'agent', when: 'step limit reached', holds: failed, to: END },
  {
    from: 'agent',
    when: 'budget_shortfall: the call was not made',
    holds: (s) => s.budget_shortfall !== null,
    to: 'budget_decision',
  },
  {
    from: 'agent',
    when: 'model_recovery.failure: the model failed',
    holds: (s) => s.model_recovery.failure !== null,
    to: 'model_decision',
  },
  { from: 'agent', when: 'the answer has tool calls', holds: hasToolCalls, to: 'tools' },
  { from: 'agent', when: 'malformed answer', holds: (s) => s.malformed_calls > 0, to: 'agent' },
  {
    from: 'agent',
    when: 'chapter_checkpoint_pending: rules wrote a chapter',
    holds: (s) => s.chapter_checkpoint_pending,
    to: 'validate_md',
  },
  {
    from: 'agent',
    when: 'words without a tool call, while work is left',
    holds: (s) => !s.generation_complete,
    to: 'agent',
  },
  {
    from: 'agent',
    when: 'generation_complete, manuscript validated against every source',
    holds: isFullyValidated,
    to: 'parse_to_json',
  },
  {
    from: 'agent',
    when: 'generation_complete, manuscript not yet validated',
    holds: otherwise,
    to: 'validate_md',
  },

  { from: 'budget_decision', when: 'stop', holds: failed, to: END },
  { from: 'budget_decision', when: 'otherwise', holds: otherwise, to: 'agent' },

  { from: 'model_decision', when: 'stop', holds: failed, to: END },
  { from: 'model_decision', when: 'otherwise', holds: otherwise, to: 'agent' },

  {
    from: 'tools',
    when: 'pending_question',
    holds: (s) => s.pending_question !== null,
    to: 'human_input',
  },
  {
    from: 'tools',
    when: 'chapter_checkpoint_pending',
    holds: (s) => s.chapter_checkpoint_pending,
    to: 'validate_md',
  },
  {
    from: 'tools',
    when: 'generation_complete or all files processed and no images, manuscript validated',
    holds: readyForExport,
    to: 'parse_to_json',
  },
  { from: 'tools', when: 'otherwise', holds: otherwise, to: 'agent' },

  { from: 'validate_md', when: 'the validation was not done', holds: failed, to: END },
  {
    from: 'validate_md',
    when: 'export_only: what a person accepted is converted, whatever it carries',
    holds: (s) => s.export_only,
    to: 'parse_to_json',
  },
  {
    from: 'validate_md',
    when: 'validation_passed',
    holds: (s) => s.validation_passed === true,
    to: 'checkpoint',
  },
  {
    from: 'validate_md',
    when: `failed, fix_attempts was < ${MAX_FIX_ATTEMPTS}`,
    holds: (s) => !s.fix_exhausted,
    to: 'agent',
  },
  {
    from: 'validate_md',
    when: `failed, fix_attempts was ${MAX_FIX_ATTEMPTS}`,
    holds: otherwise,
    to: 'fix_decision',
  },

  { from: 'fix_decision', when: 'abort', holds: failed, to: END },
  { from: 'fix_decision', when: 'accept', holds: (s) => s.validation_passed === true, to: 'checkpoint' },
  { from: 'fix_decision', when: 'retry', holds: otherwise, to: 'agent' },

  { from: 'checkpoint', when: 'always', holds: otherwise, to: 'agent' },

  {
    from: 'parse_to_json',
    when: 'structure.json written',
    holds: (s) => s.structure_json_path !== null,
    to: 'convert',
  },
  { from: 'parse_to_json', when: 'otherwise', holds: otherwise, to: 'error_handler' },
  {
    from: 'convert',
    when: 'DOCX written',
    holds: (s) => s.output_docx_path !== null,
    to: 'quality_check',
  },
  { from: 'convert', when: 'otherwise', holds: otherwise, to: 'error_handler' },
  { from: 'quality_check', when: 'passed', holds: (s) => s.status === 'completed', to: END },
  { from: 'quality_check', when: 'otherwise', holds: otherwise, to: 'error_handler' },
  {
    from: 'error_handler',
    when: 'conversion_attempts exhausted, or no text mends it',
    holds: failed,
    to: END,
  },
  { from: 'error_handler', when: 'a retry is due', holds: otherwise, to: 'agent' },
];

/** Returns the node (or END) after `from` in the given state. */
export function nextNode(from: DocumentNode, state: DocumentState): DocumentNode | typeof END {
  return nextByTable(routingTable, from, state);
}
