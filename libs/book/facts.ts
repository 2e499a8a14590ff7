import { messageOf } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { labelOf, type RunProgress } from '#contracts/runs.js';
import type { KindFacts } from '#engine/kind.js';
import { z } from 'zod';
import { bookNodes, firstNode, nextNode, type BookNode } from './graph/routing.js';
import { buildInitialState } from './graph/initial-state.js';
import type { BookState } from './graph/state.js';
import { needsModel } from './needs-model.js';

/** Graph version, recorded with each run. Increment it if a change affects parked runs. */
const BOOK_GRAPH_VERSION = '4';

const LABELS: Record<BookNode, Phrase> = {
  run_toc: phrase('progress.book.run_toc'),
  run_refine_toc: phrase('progress.book.run_refine_toc'),
  next_chapter: phrase('progress.book.next_chapter'),
  write_chapter: phrase('progress.book.write_chapter'),
  chapter_retrieve_context: phrase('progress.book.chapter_retrieve_context'),
  chapter_research: phrase('progress.book.chapter_research'),
  chapter_plan: phrase('progress.book.chapter_plan'),
  chapter_draft: phrase('progress.book.chapter_draft'),
  chapter_review: phrase('progress.book.chapter_review'),
  chapter_persist: phrase('progress.book.chapter_persist'),
  run_export: phrase('progress.book.run_export'),
  assist_profile: phrase('progress.book.assist_profile'),
  budget_decision: phrase('progress.budget_decision'),
  model_decision: phrase('progress.model_decision'),
};

/** Defaults for keys that a state saved by an older release lacks. */
const UNKNOWN = buildInitialState({ session_id: '', project_id: '', trace_id: '', mode: 'toc', inputs: {} });

/** Returns the progress that clients see (B5, B6, B11). */
function describe(graphState: Record<string, unknown>): RunProgress {
  const state: BookState = { ...UNKNOWN, ...graphState };
  const { status, chapter_number: chapter, fallback_stages: stages } = state;
  const isRunning = status === 'running';
  const node = isRunning ? nodeAtWork(state) : nodeNamed(state.current_node);
  const step = isRunning && node !== null ? LABELS[node] : phrase(`progress.${status}`);
  return {
    phase: node,
    ...labelOf(
      chapter !== null && isRunning ? phrase('progress.book.at_chapter', { number: chapter, step }) : step,
    ),
    done: state.chapters_done,
    total: state.chapters_total || null,
    details: {
      project_id: state.project_id,
      trace_id: state.trace_id,
      chapter_id: state.chapter_id,
      chapter_number: chapter,
      output_payload: {
        progress: { current_node: node, revision_count: state.revision_count },
        used_fallback: stages.length > 0,
        fallback_stages: stages,
        score: state.review_result?.score ?? null,
        proposed_outline: proposalOf(state),
        outline_changes: outlineChangesOf(state),
        kept_text: state.kept_text,
        profile_reply: state.profile_reply,
        stopped: state.stopped,
        exports: state.exports,
      },
      timings_json: { nodes: state.node_timings },
    },
  };
}

/** Returns the node that follows the last completed one. */
function nodeAtWork(state: BookState): BookNode {
  const ended = nodeNamed(state.current_node);
  const next = ended === null ? null : nextNode(ended, state);
  return nodeNamed(next) ?? ended ?? firstNode(state);
}

const nodeNamed = (name: string | null): BookNode | null => bookNodes.find((node) => node === name) ?? null;

/** Returns the refined outline of a run with `propose`, once completed; otherwise null. */
function proposalOf({ inputs, status, outline, synopsis }: BookState) {
  return inputs.propose === true && status === 'completed' ? { synopsis, chapters: outline } : null;
}

/** Returns the changes of an outline as English texts, with their phrases. */
function outlineChangesOf({ outline_changes: made }: BookState) {
  if (!made) return null;
  const [changes, unclear] = [made.changes.map(messageOf), made.unclear.map(messageOf)];
  return {
    changes: changes.map(({ message }) => message),
    unclear: unclear.map(({ message }) => message),
    change_phrases: changes.map((change) => change.phrase ?? null),
    unclear_phrases: unclear.map((request) => request.phrase ?? null),
  };
}

/** Facts about books that every process can use without building the graph. */
export const bookFacts: KindFacts = {
  kind: 'book',
  version: BOOK_GRAPH_VERSION,
  nodes: bookNodes,
  continuation: {
    state: z.object({ session_id: z.string(), project_id: z.string(), mode: z.string() }),
    carriedTasks: [],
    prose: [
      'knowledge_context',
      'memory_context',
      'research',
      'plan',
      'steering',
      'gaps',
      'new_facts',
      'outline_changes',
      'draft',
      'best_draft',
      'review_result',
      'outline',
      'profile_reply',
      'inputs',
      'model_recovery',
    ],
    companions: () => [],
    needs: () => ({ inputs: [], assets: [], checkpointId: null, exportId: null }),
    shownKeys: ['chapter_number'],
    shown: ({ chapter_number: chapter }) => ({
      chapter: typeof chapter === 'number' ? chapter : null,
      manuscript: null,
    }),
  },
  describe,
  results: () => ({}),
  needsModel,
  answerResolvers: {},
};
