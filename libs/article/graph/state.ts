import type { Detail } from '#contracts/phrases/detail.js';
import { failureState } from '#kit/graph/failure-state.js';
import type { NodeFunction } from '#kit/graph/node.js';
import { NO_RECOVERY, type ModelRecovery } from '#kit/graph/model-recovery.js';
import type { BudgetShortfall } from '#contracts/budgets.js';
import type { ResearchEnd, SourceConflict } from '#contracts/research.js';
import type { Finding } from '#contracts/findings.js';
import type { ExportFormat } from '#contracts/file-kinds.js';
import type { ArticleMode, ArticleRunInputs } from '../contract.js';
import type { ApprovedArticle } from '../contract/tasks.js';
import type { Platform } from '../contract/repurpose.js';
import type { Heading, LoggedArticle, ResearchSource } from '../contract/values.js';
import type { StyleDeviation } from '#contracts/style.js';
import type { QuotedPassage } from '#writing/compile-passages.js';
import type { RevisionChange } from '#writing/paragraph-decisions.js';
import type { OpenQuestion } from '#writing/research/rounds.js';
import { passagesWith } from '#kit/graph/passages.js';
import { noteLabels } from '#writing/sentences.js';
import { kept, last, runChannels } from '#kit/graph/run-state.js';
import { Annotation } from '@langchain/langgraph';

/** An entry of the conversation; it never contains article texts (A2). */
interface ArticleMessage {
  role: 'desk' | 'person';
  text: string;
  at: string;
}

/** A section of the article: its heading, its points, and the labels of its passages. */
export interface Section {
  heading: Heading;
  points: string[];
  labels: string[];
}

/** A passage with the headings that it was found for. */
export interface ResearchPassage extends QuotedPassage {
  id: string;
  headings: string[];
  /** Date of publication; absent if it is unknown. */
  date?: string | null;
}

/** A passage of the style corpus, with its author. */
export interface StyleFragment {
  text: string;
  source_title: string;
  author: string | null;
  source_type: 'own' | 'external';
}

/** A paragraph that a person rejected. */
export interface RejectedParagraph {
  paragraph_id: string;
  reason: string | null;
}

/** State of an article's graph (A2). */
export const ArticleStateAnnotation = Annotation.Root({
  session_id: last<string>(),
  mode: last<ArticleMode>(),
  inputs: last<ArticleRunInputs>(),
  topic: last<string>(),
  keywords: last<string[]>(),
  user_text: last<string>(),
  duplicate_detected: kept<boolean>(() => false),
  duplicate_article: kept<LoggedArticle | null>(() => null),
  research_report: kept<string>(() => ''),
  research_sources: kept<ResearchSource[]>(() => []),
  research_findings: kept<Finding[]>(() => []),
  /** Set by author_research and research_round: questions of the research, and contradictions between its sources. */
  research_questions: kept<OpenQuestion[]>(() => []),
  research_conflicts: kept<SourceConflict[]>(() => []),
  /** Rounds since the beginning or the last request of a person. */
  research_rounds: kept<number>(() => 0),
  /** Reason why the research ended; null while it continues. */
  research_end: kept<ResearchEnd | null>(() => 'rules'),
  passages: kept<ResearchPassage[]>(() => []),
  /** Headings from the research or a person; the first is the title. */
  headings: last<Heading[]>(),
  /** Titles of headings that the research covers; others, which a person adds, are searched for. */
  researched: kept<string[]>(() => []),
  sections: kept<Section[]>(() => []),
  style_fragments: kept<StyleFragment[]>(() => []),
  raw_draft: kept<string>(() => ''),
  styled_draft: kept<string>(() => ''),
  /** The draft that the person saw last; empty before the first rejection. */
  previous_draft: kept<string>(() => ''),
  draft_findings: kept<Finding[]>(() => []),
  style_annotations: kept<Finding[]>(() => []),
  /** The article as approved or returned by the person, with its notes. */
  final_text: kept<string>(() => ''),
  human_feedback: kept<string>(() => ''),
  rejected_paragraphs: kept<RejectedParagraph[]>(() => []),
  approved: kept<boolean>(() => false),
  iteration_count: kept<number>(() => 0),
  /** Rejections of the whole text. Those of single paragraphs or changes do not end the run. */
  whole_rejections: kept<number>(() => 0),
  annotations: kept<Finding[]>(() => []),
  deviations: kept<StyleDeviation[]>(() => []),
  annotated_text: kept<string>(() => ''),
  corrected_version: kept<string>(() => ''),
  /** Changes that a person rejected, identified by the original words. */
  unwanted: kept<Pick<RevisionChange, 'before' | 'after'>[]>(() => []),
  messages: Annotation<ArticleMessage[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
  article_key: kept<string | null>(() => null),
  report_key: kept<string | null>(() => null),
  annotated_key: kept<string | null>(() => null),
  corrected_key: kept<string | null>(() => null),
  /** Set by author_approve: object key of the passages that the article can cite (`citedPassagesSchema`). */
  sources_key: kept<string | null>(() => null),
  /** Set by export: the article's object keys, and the files so far. */
  exported: kept<ApprovedArticle | null>(() => null),
  exports: kept<{ id: string; format: ExportFormat; name: string }[]>(() => []),
  /** Set by repurpose: object keys of the texts for each platform (A14). */
  piece_keys: kept<Partial<Record<Platform, string>>>(() => ({})),
  status: kept<'running' | 'completed' | 'rejected' | 'failed'>(() => 'running'),
  ...runChannels(),
  budget_shortfall: kept<BudgetShortfall | null>(() => null),
  /** A failed model, and what a person decided about it (X13). */
  model_recovery: kept<ModelRecovery>(() => NO_RECOVERY),
  fallback_stages: kept<string[]>(() => []),
});
export type ArticleState = typeof ArticleStateAnnotation.State;
export type ArticleUpdate = typeof ArticleStateAnnotation.Update;
export type ArticleNodeFunction = NodeFunction<ArticleState, ArticleUpdate>;

/** Returns the keys that a new run sets; the others have defaults. */
export function buildInitialState(sessionId: string, mode: ArticleMode, inputs: ArticleRunInputs) {
  return {
    session_id: sessionId,
    mode,
    inputs,
    topic: inputs.topic ?? '',
    keywords: inputs.keywords ?? [],
    user_text: inputs.user_text ?? '',
    headings: inputs.headings ?? [],
  } satisfies ArticleUpdate;
}

/** Returns the passages that the plan of the article names, and those that a text cites; all, if there are none. */
export const plannedPassages = (
  { passages, sections }: Pick<ArticleState, 'passages' | 'sections'>,
  text = '',
): ResearchPassage[] =>
  passagesWith(passages, [...sections.flatMap(({ labels }) => labels), ...noteLabels(text)]);

/** Returns the person's words: topic, keywords and headings. Names in them need no citation. */
export const personsWords = ({
  topic,
  keywords,
  headings,
}: Pick<ArticleState, 'topic' | 'keywords' | 'headings'>): string =>
  [topic, ...keywords, ...headings.map(({ title }) => title)].join('\n');

export const failed = (code: string, detail: Detail): ArticleUpdate => ({
  status: 'failed',
  ...failureState(code, detail),
});

/** Update for a run that a person rejects or that ends without approval. Keeps the text so far. */
export const rejected = (code: string, detail: Detail): ArticleUpdate => ({
  status: 'rejected',
  ...failureState(code, detail),
});

export const createMessage = (role: ArticleMessage['role'], text: string): ArticleMessage => ({
  role,
  text,
  at: new Date().toISOString(),
});
