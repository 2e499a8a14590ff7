import type { NodeFunction } from '#agent/node.js';
import type { BudgetShortfall } from '#contracts/budgets.js';
import type { Finding } from '#contracts/findings.js';
import type { ArticleMode, ArticleRunInputs } from '#contracts/kinds/article.js';
import type { Heading, LoggedArticle, ResearchSource } from '#contracts/kinds/article/schemas.js';
import type { StyleDeviation } from '#contracts/style.js';
import type { QuotedPassage } from '#writing/compile-passages.js';
import type { RevisionChange } from '#writing/paragraph-decisions.js';
import { Annotation } from '@langchain/langgraph';
import type { StyleFragment } from './ports.js';

/** Something said in the conversation; texts of articles never stand in it (A2). */
export interface ArticleMessage {
  role: 'desk' | 'person';
  text: string;
  at: string;
}

/** A part of the article: its heading, what to say, and the passages to say it from. */
export interface Section {
  heading: Heading;
  points: string[];
  labels: string[];
}

/** A passage with the headings that it was found for. */
export interface ResearchPassage extends QuotedPassage {
  id: string;
  headings: string[];
}

/** A paragraph that a person did not accept. */
export interface RejectedParagraph {
  paragraph_id: string;
  reason: string | null;
}

const last = <T>() => Annotation<T>();

/** State of an article's graph (A2). */
export const ArticleStateAnnotation = Annotation.Root({
  session_id: last<string>(),
  mode: last<ArticleMode>(),
  inputs: last<ArticleRunInputs>(),
  topic: last<string>(),
  keywords: last<string[]>(),
  user_text: last<string>(),
  duplicate_detected: last<boolean>(),
  duplicate_article: last<LoggedArticle | null>(),
  research_report: last<string>(),
  research_sources: last<ResearchSource[]>(),
  research_findings: last<Finding[]>(),
  passages: last<ResearchPassage[]>(),
  /** The headings that research or a person gave; the first is the title. */
  headings: last<Heading[]>(),
  /** Titles of headings that were searched for. */
  researched: last<string[]>(),
  sections: last<Section[]>(),
  style_fragments: last<StyleFragment[]>(),
  raw_draft: last<string>(),
  styled_draft: last<string>(),
  /** The draft that the person saw last; empty before the first rejection. */
  previous_draft: last<string>(),
  draft_findings: last<Finding[]>(),
  style_annotations: last<Finding[]>(),
  /** The article as it is approved or handed back, with its notes. */
  final_text: last<string>(),
  human_feedback: last<string>(),
  rejected_paragraphs: last<RejectedParagraph[]>(),
  approved: last<boolean>(),
  iteration_count: last<number>(),
  annotations: last<Finding[]>(),
  deviations: last<StyleDeviation[]>(),
  annotated_text: last<string>(),
  corrected_version: last<string>(),
  /** Changes of the text that a person did not want, by their words before. */
  unwanted: last<Pick<RevisionChange, 'before' | 'after'>[]>(),
  messages: Annotation<ArticleMessage[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
  article_key: last<string | null>(),
  report_key: last<string | null>(),
  annotated_key: last<string | null>(),
  corrected_key: last<string | null>(),
  status: last<'running' | 'completed' | 'rejected' | 'failed'>(),
  current_node: last<string | null>(),
  last_error: last<string | null>(),
  error_type: last<string | null>(),
  budget_shortfall: last<BudgetShortfall | null>(),
  fallback_stages: last<string[]>(),
  node_timings: last<Record<string, number>>(),
});
export type ArticleState = typeof ArticleStateAnnotation.State;
export type ArticleUpdate = typeof ArticleStateAnnotation.Update;
export type ArticleNodeFunction = NodeFunction<ArticleState, ArticleUpdate>;

/** Every key of the state of a new run. */
export function buildInitialState(
  sessionId: string,
  mode: ArticleMode,
  inputs: ArticleRunInputs,
): Omit<ArticleState, 'messages'> {
  return {
    session_id: sessionId,
    mode,
    inputs,
    topic: inputs.topic ?? '',
    keywords: inputs.keywords ?? [],
    user_text: inputs.user_text ?? '',
    duplicate_detected: false,
    duplicate_article: null,
    research_report: '',
    research_sources: [],
    research_findings: [],
    passages: [],
    headings: inputs.headings ?? [],
    researched: [],
    sections: [],
    style_fragments: [],
    raw_draft: '',
    styled_draft: '',
    previous_draft: '',
    draft_findings: [],
    style_annotations: [],
    final_text: '',
    human_feedback: '',
    rejected_paragraphs: [],
    approved: false,
    iteration_count: 0,
    annotations: [],
    deviations: [],
    annotated_text: '',
    corrected_version: '',
    unwanted: [],
    article_key: null,
    report_key: null,
    annotated_key: null,
    corrected_key: null,
    status: 'running',
    current_node: null,
    last_error: null,
    error_type: null,
    budget_shortfall: null,
    fallback_stages: [],
    node_timings: {},
  };
}

export const failed = (error_type: string, last_error: string): ArticleUpdate => ({
  status: 'failed',
  error_type,
  last_error,
});

/** A person does not want it, or nobody approved it; what is written is kept. */
export const rejected = (error_type: string, last_error: string): ArticleUpdate => ({
  status: 'rejected',
  error_type,
  last_error,
});

export const said = (role: ArticleMessage['role'], text: string): ArticleMessage => ({
  role,
  text,
  at: new Date().toISOString(),
});
