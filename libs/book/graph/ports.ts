import type { RunModel } from '#kit/graph/ports.js';
import type { OverruledFinding } from '#contracts/findings.js';
import type { Fact } from '#contracts/facts.js';
import type { BookOutline, ChapterOutline } from '../contract/outline.js';
import type { BookProfile, LlmRuntime } from '../contract/profile.js';
import type { ChapterCitation, ChapterReview } from '../contract/review.js';
import type { RunEvents } from '#engine/kind.js';
import type { BookRules } from './rules.js';
import type { Rejection } from './state.js';
import type { ChapterText, Memory, Passage } from './texts.js';

export interface OutlinedChapter {
  id: string;
  number: number;
  title: string;
  status: string;
  /** 0 if nothing is written yet. */
  version: number;
  summary: string;
  outline: ChapterOutline;
}

/** A book as a run reads it. */
export interface BookSnapshot {
  id: string;
  title: string;
  profile: BookProfile;
  synopsis: string;
  chapters: OutlinedChapter[];
  /** True if a person has asked this run to end before its next chapter. */
  isStopping: boolean;
}

/** The newest text of a chapter, and a person's decisions about it. */
export interface PresentText {
  version: number;
  content: string;
  /** Null for a text that a person wrote. */
  review: ChapterReview | null;
  /** Whether a person wrote, restored or decided the version. */
  byPerson: boolean;
  rejections: Rejection[];
  /** IDs of the paragraphs that a person accepted or wrote, in this version or an earlier one, and has not released. */
  kept: string[];
  citations: ChapterCitation[];
}

export interface ChapterResult {
  chapter_id: string;
  /** Identifies the step that stores it, so that a repeated step stores it once. */
  effect_key: string;
  content: string;
  summary: string;
  facts: Fact[];
  citations: ChapterCitation[];
  review: ChapterReview;
  /** IDs of its paragraphs that a person accepted or wrote. */
  kept: string[];
}

/** A run's access to its book. It cannot write the author's concept (B2). */
export interface BookStore {
  /** @throws RunFailure if the session belongs to no book */
  load(): Promise<BookSnapshot>;
  /** Returns the written chapters, in order. */
  texts(): Promise<ChapterText[]>;
  /** Returns a version of the chapter, by default the newest, with a person's decisions and edits; null without a text. */
  present(chapterId: string, version?: number): Promise<PresentText | null>;
  /** Returns the findings that the author called wrong. */
  overruled(): Promise<OverruledFinding[]>;
  saveOutline(outline: BookOutline, runtime: LlmRuntime, seed: string): Promise<void>;
  note(runtime: LlmRuntime, status: 'writing' | 'written' | 'exported', seed: string): Promise<void>;
  /**
   * Adds a version.
   *
   * @returns its number
   * @throws RunFailure `chapter_accepted` if a person accepted it in the meantime, `chapter_gone` if it was
   *   deleted
   */
  saveChapter(result: ChapterResult): Promise<number>;
  /**
   * Makes a version the newest one again.
   *
   * @param effectKey identifies the step, so that a repeated step does it once
   */
  keepVersion(chapterId: string, version: number, effectKey: string): Promise<void>;
}

/** The book's sources and the memory of its chapters (B14–B16). */
export interface BookKnowledge {
  /** Searches the sources, except sources of priority `tone-only`. */
  search(query: string, k: number): Promise<Passage[]>;
  /** Returns at most `limit` passages in the order of their sources, except sources of priority `tone-only`. */
  all(limit: number): Promise<Passage[]>;
  /**
   * Reads the pages and files that an author names, adds them to the sources of the book, and returns their passages:
   * all that match the query, and the first passage of each source without a match.
   *
   * @throws RunFailure if a page or file cannot be read
   */
  named(sources: string[], query: string, k: number): Promise<Passage[]>;
  /** Returns passages of the sources of priority `tone-only`, which show how the book should sound. */
  toneSamples(limit: number): Promise<string[]>;
  /** Returns statements of the given chapters that match the query. */
  recall(query: string, k: number, chapterIds: string[]): Promise<Memory[]>;
  /** Indexes the newest text of a chapter, replacing an older one; idempotent. */
  remember(chapter: { id: string; title: string; content: string }): Promise<void>;
}

export interface BookPorts {
  book: BookStore;
  knowledge: BookKnowledge;
  model: RunModel;
  rules: BookRules;
  /** True if the installation lacks a model, so that rules do all the work. */
  offline: boolean;
  emit: RunEvents['emit'];
  settings: { decisionDeadlineSeconds: number };
}
