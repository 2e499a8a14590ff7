import type { RunModel } from '#agent/ports.js';
import type { LoggedArticle } from '#contracts/kinds/article/schemas.js';
import type { RunEvents } from '#run-engine/kind.js';
import type { QuotedPassage } from '#writing/compile-passages.js';
import type { StyleText } from '#writing/style/fingerprint.js';
import type { ArticleRules } from './rules.js';

/** A passage that the research found, with the address of its source. */
export interface FoundPassage extends Omit<QuotedPassage, 'label'> {
  id: string;
  url: string;
  /** What the source says, when its provider tells; else the passage speaks for itself. */
  summary: string | null;
}

/** A search provider (A6): the tenant's own collections, or one of the web. What it finds is data, whatever it says. */
export interface ResearchPort {
  /** @throws RunFailure when the provider cannot be used at all */
  find(query: string, limit: number, effectKey: string): Promise<FoundPassage[]>;
  /** Says what will be asked for soon, so that it can be looked for meanwhile; left out by a provider that costs. */
  prepare?(query: string, limit: number): void;
}

/** A passage of the style corpus, by whom it is. */
export interface StyleFragment {
  text: string;
  source_title: string;
  author: string | null;
  source_type: 'own' | 'external';
}

/** How the tenant writes (A9). */
export interface StylePort {
  /** Passages like the query, own ones first. */
  fragments(query: string): Promise<StyleFragment[]>;
  /** The texts of the corpus, for its fingerprint; none without a corpus. */
  texts(): Promise<StyleText[]>;
}

/** What was written before (A5, A12). */
export interface ArticleLog {
  /** The article whose topic is nearly this one; null when there is none. */
  resembling(topic: string, keywords: string[]): Promise<LoggedArticle | null>;
  /** Enters an article; a repeated step enters it once. */
  save(entry: { topic: string; keywords: string[]; mode: string; word_count: number }): Promise<void>;
}

/** What the nodes of an article reach of the outside. */
export interface ArticlePorts {
  research: ResearchPort;
  style: StylePort;
  log: ArticleLog;
  rules: ArticleRules;
  model: RunModel;
  /** The installation has no model: everything is done by rules. */
  offline: boolean;
  /** The text of the article that the session approved last; null when there is none. */
  approved(): Promise<string | null>;
  /** Keeps a text in the session; returns its object key, the same for the same text. */
  keep(text: string): Promise<string>;
  emit: RunEvents['emit'];
  settings: { decisionDeadlineSeconds: number };
}
