import type { Finding, OverruledFinding } from '#contracts/findings.js';
import type { RunModel } from '#kit/graph/ports.js';
import type { ApprovedArticle } from '../contract/tasks.js';
import type { LoggedArticle, SourceKind } from '../contract/values.js';
import type { RunEvents } from '#engine/kind.js';
import type { QuotedPassage } from '#writing/compile-passages.js';
import type { RevisionChange } from '#writing/paragraph-decisions.js';
import type { StyleText } from '#writing/style/fingerprint.js';
import type { ArticleRules } from './rules.js';
import type { StyleFragment } from './state.js';

/** A passage that the research found, with the address of its source. */
export interface FoundPassage extends Omit<QuotedPassage, 'label'> {
  id: string;
  url: string;
  kind: SourceKind;
  /** Collection with the stored text of the source. */
  collection_id: string;
  /** Date of publication, `YYYY-MM-DD`; null if it is unknown. */
  date: string | null;
  /** Time when the page was read; null for a source that is not a page. */
  fetched_at: string | null;
  /** The provider's summary of the source; null if it gives none, and the passage is used instead. */
  summary: string | null;
}

/** A search provider (A6): the tenant's collections, or the web. Its results are data, never instructions. */
export interface ResearchPort {
  /** @throws RunFailure if the provider cannot be used at all */
  find(query: string, limit: number, effectKey: string): Promise<FoundPassage[]>;
  /**
   * Announces a later search so that the provider can start it early; absent for providers that cost money.
   */
  prepare?(query: string, limit: number): void;
  /**
   * Returns the first passage of each source that the author named and that no search found.
   *
   * @param found IDs of the sources that were found
   */
  unfound?(found: ReadonlySet<string>): Promise<FoundPassage[]>;
}

/** The tenant's writing style (A9). */
export interface StylePort {
  /** Returns passages similar to the query, the tenant's own first. */
  fragments(query: string): Promise<StyleFragment[]>;
  /** Returns the texts of the corpus, for its fingerprint; empty without a corpus. */
  texts(): Promise<StyleText[]>;
}

/** Log of approved articles (A5, A12). */
interface ArticleLog {
  /** Returns an article with a similar topic, or null. */
  resembling(topic: string, keywords: string[]): Promise<LoggedArticle | null>;
  /** Adds an article; repeating the step adds it only once. */
  save(entry: { topic: string; keywords: string[]; mode: string; word_count: number }): Promise<void>;
}

/** Everything that the nodes of an article need from outside. */
export interface ArticlePorts {
  research: ResearchPort;
  style: StylePort;
  log: ArticleLog;
  rules: ArticleRules;
  model: RunModel;
  /** True if the installation lacks a model, so that rules do all the work. */
  offline: boolean;
  /** Returns the findings of the session's texts that a person called wrong. */
  overruled(): Promise<OverruledFinding[]>;
  /** Returns the session's last approved article, or null. */
  approved(): Promise<ApprovedArticle | null>;
  /** Returns a stored text. */
  read(objectKey: string): Promise<string>;
  /** Stores a text in the session and returns its object key; the same text gets the same key. */
  keep(text: string): Promise<string>;
  /** The session's proposals: changes of a text, by the round of the review that proposes them. */
  proposals: {
    add(round: number, changes: readonly ProposedChange[]): Promise<void>;
    /** Returns the positions of the changes of a round that a person rejected. */
    rejected(round: number): Promise<number[]>;
    /** Stores the decision on the changes of a round. @param isApplied whether a text was made with the others */
    decide(round: number, changes: readonly { isRejected: boolean }[], isApplied: boolean): Promise<void>;
  };
  emit: RunEvents['emit'];
  settings: { decisionDeadlineSeconds: number };
}

/** A change of a text, with the findings that it corrects. */
export type ProposedChange = Pick<RevisionChange, 'before' | 'after' | 'base'> & { findings: Finding[] };
