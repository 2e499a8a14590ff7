import type { RunProgress } from '#contracts/runs.js';
import type { KindFacts } from '#run-engine/kind.js';
import { z } from 'zod';
import { bookNodes } from './routing.js';
import type { BookState } from './state.js';

/** Rises with every change that a parked run could notice; recorded with each run. */
export const BOOK_GRAPH_VERSION = '1';

const LABELS: Record<string, string> = {
  run_toc: 'making the outline',
  run_refine_toc: 'refining the outline',
  next_chapter: 'choosing the next chapter',
  chapter_retrieve_context: 'looking up sources',
  chapter_plan: 'planning the chapter',
  chapter_draft: 'writing the chapter',
  chapter_review: 'reviewing the chapter',
  chapter_persist: 'keeping the chapter',
  run_export: 'making the files',
  budget_decision: 'waiting for a budget',
};

/** What a client may know of a run (B5, B6, B11); a state that was saved by an older release may lack keys. */
function describe(graphState: Record<string, unknown>): RunProgress {
  const state = graphState as Partial<BookState>;
  const node = state.current_node ?? null;
  const stages = state.fallback_stages ?? [];
  const label = state.status === 'running' ? (node && LABELS[node]) || 'starting' : (state.status ?? null);
  const chapter = state.chapter_number ?? null;
  return {
    phase: node,
    label: chapter !== null && state.status === 'running' ? `chapter ${chapter}: ${label}` : label,
    done: state.chapters_done ?? 0,
    total: state.chapters_total || null,
    details: {
      project_id: state.project_id ?? '',
      trace_id: state.trace_id ?? '',
      chapter_id: state.chapter_id ?? null,
      chapter_number: chapter,
      output_payload: {
        progress: { current_node: node, revision_count: state.revision_count ?? 0 },
        used_fallback: stages.length > 0,
        fallback_stages: stages,
        score: state.review_result?.score ?? null,
        proposed_outline: proposalOf(state),
        exports: state.exports ?? [],
      },
      timings_json: { nodes: state.node_timings ?? {} },
    },
  };
}

/** The refined outline of a run that was to propose one, when it is there. */
function proposalOf({ inputs, status, outline, synopsis }: Partial<BookState>) {
  if (inputs?.propose !== true || status !== 'completed' || !outline) return null;
  return { synopsis: synopsis ?? '', chapters: outline };
}

/** What the rooms around a book's run know of it. */
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
      'plan',
      'draft',
      'best_draft',
      'review_result',
      'outline',
      'inputs',
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
  answerResolvers: {},
};
