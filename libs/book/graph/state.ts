import type { Detail } from '#contracts/phrases/detail.js';
import type { Phrase } from '#contracts/phrases/render.js';
import { failureState } from '#kit/graph/failure-state.js';
import type { NodeFunction } from '#kit/graph/node.js';
import { NO_RECOVERY, type ModelRecovery } from '#kit/graph/model-recovery.js';
import type { BudgetShortfall } from '#contracts/budgets.js';
import type { ResearchEnd } from '#contracts/research.js';
import type { BookMode } from '../contract.js';
import type { Conversation, ProfileReply } from '../contract/conversation.js';
import type { OutlineOperation } from '../contract/operations.js';
import type { OutlineChapter } from '../contract/outline.js';
import type { BookProfile } from '../contract/profile.js';
import type { ChapterReview } from '../contract/review.js';
import type { CitationStyle } from '#contracts/bibliography-names.js';
import type { ExportFormat, PdfStandard, TrimSize } from '#contracts/file-kinds.js';
import type { ResearchNotes } from '#writing/research/rounds.js';
import { kept, last } from '#kit/graph/run-state.js';
import { Annotation } from '@langchain/langgraph';
import type { Memory, Passage } from './texts.js';

/** A passage with the label by which the chapter's text cites it. */
export interface LabelledPassage extends Passage {
  label: string;
}

/** Questions, searches and results of the research of a chapter. */
export interface ChapterResearch extends ResearchNotes {
  rounds: number;
  /** Why no further round follows; null while rounds follow. */
  end: ResearchEnd | null;
}

export interface ChapterPlan {
  intent: string;
  /**
   * `passages`: labels of the passages that support the section; a plan of an older release lacks them. `words`: target
   * length of the section.
   */
  sections: {
    title: string;
    points: string[];
    passages?: string[] | undefined;
    words?: number | undefined;
  }[];
}

/** A draft as written: its text, the facts that it omits for lack of a source, and those that fiction adds to its world. */
export interface Draft {
  text: string;
  gaps: string[];
  new_facts: string[];
}

/** A change of a revision that a person refused. */
export interface Rejection {
  before: string;
  after: string;
  reason: string | null;
}

/** A person's feedback on the present text of a chapter. The next draft is a revision of this text. */
export interface Steering {
  present: string;
  /** Empty for a run without feedback. */
  feedback: string;
  rejections: Rejection[];
  /** IDs of the paragraphs that a person accepted or wrote. They change only if the feedback quotes or names them. */
  kept: string[];
}

/** A draft with its review; the best one is stored. */
interface ReviewedDraft {
  content: string;
  review: ChapterReview;
}

/** The text that stays, although a run wrote a new one. */
export interface KeptText {
  /** Version of the new text. */
  version: number;
  /** Score of the text that stays; null if it was never reviewed. */
  score: number | null;
  new_score: number;
}

/** State of a book's graph. */
export const BookStateAnnotation = Annotation.Root({
  session_id: last<string>(),
  project_id: last<string>(),
  trace_id: last<string>(),
  mode: last<BookMode>(),
  inputs: last<{
    feedback?: string;
    operations?: OutlineOperation[];
    propose?: boolean;
    chapter_number?: number;
    chapter_id?: string;
    sources?: string[];
    formats?: ExportFormat[];
    citation_style?: CitationStyle;
    trim_size?: TrimSize;
    pdf_standard?: PdfStandard;
    index?: boolean;
    list_of_figures?: boolean;
    proposals?: 'tracked';
    research_rounds?: number;
    messages?: Conversation;
    profile?: BookProfile;
  }>(),
  status: last<'running' | 'completed' | 'failed'>(),
  current_node: last<string | null>(),
  last_error: last<string | null>(),
  error_type: last<string | null>(),
  /** Code and parameters of `last_error`. */
  error_phrase: last<Phrase | null>(),
  budget_shortfall: last<BudgetShortfall | null>(),
  /** A failed model, and what a person decided about it (X13). */
  model_recovery: kept<ModelRecovery>(() => NO_RECOVERY),
  fallback_stages: last<string[]>(),
  node_timings: last<Record<string, number>>(),
  /**
   * The part of the outline made so far, which protects a long one against truncated answers; or the proposed
   * outline.
   */
  outline: last<OutlineChapter[]>(),
  synopsis: last<string>(),
  /** Set by `run_refine_toc`: the changes in words, and what could not be followed. */
  outline_changes: last<{ changes: Detail[]; unclear: Detail[] } | null>(),
  chapters_done: last<number>(),
  chapters_total: last<number>(),
  /** Mode `book`: IDs of the chapters that stay empty because the sources do not cover them. */
  left_empty: last<string[]>(),
  chapter_id: last<string | null>(),
  chapter_number: last<number | null>(),
  memory_context: last<Memory[]>(),
  knowledge_context: last<LabelledPassage[]>(),
  /** Set by chapter_research. A state saved by an older release lacks it. */
  research: last<ChapterResearch | null>(),
  plan: last<ChapterPlan | null>(),
  draft: last<string>(),
  /** Set by the first draft: facts that it omits for lack of a source. */
  gaps: last<string[]>(),
  /** Set by the first draft of fiction: facts that it adds to the codex. A state saved by an older release lacks it. */
  new_facts: last<string[]>(),
  /** Set by retrieval if the run revises a text that exists. */
  steering: last<Steering | null>(),
  review_result: last<ChapterReview | null>(),
  best_draft: last<ReviewedDraft | null>(),
  revision_count: last<number>(),
  /** Set by chapter_persist if the text before stays: the version of the new text, and both scores. */
  kept_text: last<KeptText | null>(),
  /** Next step of the conversation about the profile. */
  profile_reply: last<ProfileReply | null>(),
  exports: last<{ id: string; format: ExportFormat; name: string }[]>(),
  /** Whether the run ended between two chapters because a person asked it to. */
  stopped: last<boolean>(),
});
export type BookState = typeof BookStateAnnotation.State;
export type BookUpdate = typeof BookStateAnnotation.Update;
export type BookNodeFunction = NodeFunction<BookState, BookUpdate>;

export const failed = (code: string, detail: Detail): BookUpdate => ({
  status: 'failed',
  ...failureState(code, detail),
});
