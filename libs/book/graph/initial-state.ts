import { NO_RECOVERY } from '#kit/graph/model-recovery.js';
import type { BookState, BookUpdate } from './state.js';

type Given = Pick<BookState, 'session_id' | 'project_id' | 'trace_id' | 'mode' | 'inputs'>;

/** Returns the state of a new run, with every key. */
export function buildInitialState(given: Given): BookState {
  return {
    ...given,
    status: 'running',
    current_node: null,
    last_error: null,
    error_type: null,
    error_phrase: null,
    budget_shortfall: null,
    model_recovery: NO_RECOVERY,
    fallback_stages: [],
    node_timings: {},
    outline: [],
    synopsis: '',
    outline_changes: null,
    chapters_done: 0,
    left_empty: [],
    chapters_total: given.mode === 'chapter' ? 1 : 0,
    ...freshChapter(null, null),
    profile_reply: null,
    exports: [],
    stopped: false,
  };
}

/** Returns the initial values of the keys of a chapter's loop. */
export function freshChapter(chapterId: string | null, number: number | null) {
  return {
    chapter_id: chapterId,
    chapter_number: number,
    memory_context: [],
    knowledge_context: [],
    research: null,
    plan: null,
    draft: '',
    gaps: [],
    new_facts: [],
    steering: null,
    review_result: null,
    best_draft: null,
    revision_count: 0,
    kept_text: null,
  } satisfies BookUpdate;
}
