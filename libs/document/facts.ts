import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { labelOf, type RunProgress } from '#contracts/runs.js';
import type { KindFacts } from '#engine/kind.js';
import { rememberReferences } from './facts/answers.js';
import { documentContinuation } from './facts/continuation.js';
import { boundedOutline } from './facts/bounded-outline.js';
import { documentNodes } from './facts/nodes.js';
import type { DocumentState } from './graph/state.js';

/** Graph version, recorded with each run. Increment it if a change affects parked runs. */
const DOCUMENT_GRAPH_VERSION = '1';

/** Maximum number of issues in a run's progress. */
const MAX_ISSUES = 50;

/** Maximum number of files that are left out, in a run's progress. */
const MAX_LEFT_OUT = 50;

const LABELS: Record<DocumentState['status'], Phrase> = {
  scanning_assets: phrase('progress.document.scanning_assets'),
  awaiting_human: phrase('progress.document.awaiting_human'),
  processing: phrase('progress.document.processing'),
  converting: phrase('progress.document.converting'),
  completed: phrase('progress.done'),
  failed: phrase('progress.failed'),
};

const MAX_TITLE = 200;

/** Returns the first heading of the manuscript without Markdown's emphasis, code marks and links; null without one. */
function firstHeading(outline: DocumentState['document_outline']): string | null {
  const heading = outline[0]?.title ?? '';
  const plain = heading.replace(/!?\[([^\][]{0,500})\]\([^()]{0,2000}\)/g, '$1').replace(/[*`]/g, '');
  return plain.trim().slice(0, MAX_TITLE) || null;
}

/**
 * Returns the files that the sources refer to and that are left out, by an answer or by an earlier one that is remembered
 * (X2).
 */
const leftOut = ({ user_decisions: decisions = {} }: Partial<DocumentState>): string[] =>
  Object.keys(decisions).filter((ref) => decisions[ref] === 'skip');

/** Returns the progress that clients see; a state saved by an older release may lack keys. */
function describe(graphState: Record<string, unknown>): RunProgress {
  const state = graphState as Partial<DocumentState>;
  const { status, current_chapter: chapter = 1, document_outline: outline = [] } = state;
  const isDone = status === 'completed';
  return {
    phase: status ?? null,
    ...labelOf(status ? LABELS[status] : null),
    done: isDone ? outline.filter(({ level }) => level === 1).length : chapter - 1,
    total: isDone ? outline.filter(({ level }) => level === 1).length : null,
    details: {
      title: firstHeading(outline) ?? state.input_files?.[0]?.slice(0, MAX_TITLE) ?? null,
      // After the last chapter the state's counter is one too high for clients, who want the number of
      // chapters.
      current_chapter: isDone ? chapter - 1 : chapter,
      current_file_index: state.current_file_index ?? null,
      document_outline: boundedOutline(outline),
      coverage: state.coverage ?? null,
      coverage_report: state.coverage_report ?? null,
      acceptances: state.acceptances ?? [],
      validation_issues: (state.validation_issues ?? []).slice(0, MAX_ISSUES),
      fix_attempts: state.fix_attempts ?? 0,
      conversion_attempts: state.conversion_attempts ?? 0,
      left_out: leftOut(state).slice(0, MAX_LEFT_OUT),
      used_fallback: state.model_recovery?.rules ?? false,
    },
  };
}

/** Facts about documents that every process can use without building the graph. */
export const documentFacts: KindFacts = {
  kind: 'document',
  version: DOCUMENT_GRAPH_VERSION,
  nodes: documentNodes,
  continuation: documentContinuation,
  describe,
  results: (state) => ({
    manuscript: (state['temp_md_path'] as string | null | undefined) ?? null,
    ledger: (state['ledger_path'] as string | null | undefined) ?? null,
  }),
  answerResolvers: {
    missing_references: { remember: rememberReferences },
    question: { remember: rememberReferences },
  },
};
