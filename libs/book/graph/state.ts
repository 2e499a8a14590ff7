import type { NodeFunction } from '#kit/graph/node.js';
import type { BudgetShortfall } from '#contracts/budgets.js';
import type { BookMode } from '../contract.js';
import type { Conversation, ProfileReply } from '../contract/conversation.js';
import type { OutlineChapter } from '../contract/outline.js';
import type { BookProfile } from '../contract/profile.js';
import type { ChapterReview } from '../contract/review.js';
import type { ExportFormat } from '../contract/tasks.js';
import { Annotation } from '@langchain/langgraph';
import type { Memory, Passage } from './ports.js';

/** A passage with the label by which the chapter's text cites it. */
export interface LabelledPassage extends Passage {
  label: string;
}

export interface ChapterPlan {
  intent: string;
  sections: { title: string; points: string[] }[];
}

/** A draft with its review; the best one is stored. */
export interface ReviewedDraft {
  content: string;
  review: ChapterReview;
}

const last = <T>() => Annotation<T>();

/** State of a book's graph. */
export const BookStateAnnotation = Annotation.Root({
  session_id: last<string>(),
  project_id: last<string>(),
  trace_id: last<string>(),
  mode: last<BookMode>(),
  inputs: last<{
    feedback?: string;
    propose?: boolean;
    chapter_number?: number;
    chapter_id?: string;
    formats?: ExportFormat[];
    messages?: Conversation;
    profile?: BookProfile;
  }>(),
  status: last<'running' | 'completed' | 'failed'>(),
  current_node: last<string | null>(),
  last_error: last<string | null>(),
  error_type: last<string | null>(),
  budget_shortfall: last<BudgetShortfall | null>(),
  fallback_stages: last<string[]>(),
  node_timings: last<Record<string, number>>(),
  /**
   * The part of the outline made so far, which protects a long one against truncated answers; or the proposed
   * outline.
   */
  outline: last<OutlineChapter[]>(),
  synopsis: last<string>(),
  chapters_done: last<number>(),
  chapters_total: last<number>(),
  chapter_id: last<string | null>(),
  chapter_number: last<number | null>(),
  memory_context: last<Memory[]>(),
  knowledge_context: last<LabelledPassage[]>(),
  plan: last<ChapterPlan | null>(),
  draft: last<string>(),
  review_result: last<ChapterReview | null>(),
  best_draft: last<ReviewedDraft | null>(),
  revision_count: last<number>(),
  /** Next step of the conversation about the profile. */
  profile_reply: last<ProfileReply | null>(),
  exports: last<{ id: string; format: ExportFormat; name: string }[]>(),
  /** Whether the run ended between two chapters because a person asked it to. */
  stopped: last<boolean>(),
});
export type BookState = typeof BookStateAnnotation.State;
export type BookUpdate = typeof BookStateAnnotation.Update;
export type BookNodeFunction = NodeFunction<BookState, BookUpdate>;

type Given = Pick<BookState, 'session_id' | 'project_id' | 'trace_id' | 'mode' | 'inputs'>;

/** Returns the state of a new run, with every key. */
export function buildInitialState(given: Given): BookState {
  return {
    ...given,
    status: 'running',
    current_node: null,
    last_error: null,
    error_type: null,
    budget_shortfall: null,
    fallback_stages: [],
    node_timings: {},
    outline: [],
    synopsis: '',
    chapters_done: 0,
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
    plan: null,
    draft: '',
    review_result: null,
    best_draft: null,
    revision_count: 0,
  } satisfies BookUpdate;
}

export const failed = (error_type: string, last_error: string): BookUpdate => ({
  status: 'failed',
  error_type,
  last_error,
});
