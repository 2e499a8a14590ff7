import type { RunModel } from '#agent/ports.js';
import type { Fact } from '#contracts/facts.js';
import type { BookOutline, ChapterOutline } from '#contracts/kinds/book/outline.js';
import type { BookProfile, LlmRuntime } from '#contracts/kinds/book/profile.js';
import type { ChapterCitation, ChapterReview } from '#contracts/kinds/book/review.js';
import type { RunEvents } from '#run-engine/kind.js';
import type { BookRules } from './rules.js';

export interface OutlinedChapter {
  id: string;
  number: number;
  title: string;
  status: string;
  /** 0: nothing is written yet. */
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
  /** A person has asked this run to end before its next chapter. */
  isStopping: boolean;
}

/** The text of a chapter that is written, with what is derived from it. */
export interface ChapterText {
  chapter_id: string;
  number: number;
  title: string;
  /** By a person. */
  accepted: boolean;
  /** Written by a model in a run: quotations compiled by rules must not replace it. */
  byModel: boolean;
  content: string;
  facts: Fact[];
  citations: ChapterCitation[];
}

export interface ChapterResult {
  chapter_id: string;
  /** Names the step that persists it: persisted twice, it is there once. */
  effect_key: string;
  content: string;
  summary: string;
  facts: Fact[];
  citations: ChapterCitation[];
  review: ChapterReview;
}

/** What a run reads and writes of its book. There is no way to the author's concept from here (B2). */
export interface BookStore {
  /** @throws RunFailure when the session is not of a book */
  load(): Promise<BookSnapshot>;
  /** The chapters that are written, in their order. */
  texts(): Promise<ChapterText[]>;
  /** Why people rejected paragraphs of the chapter's newest text. */
  rejections(chapterId: string): Promise<string[]>;
  saveOutline(outline: BookOutline, runtime: LlmRuntime, seed: string): Promise<void>;
  note(runtime: LlmRuntime, status: 'writing' | 'written' | 'exported', seed: string): Promise<void>;
  /** @throws RunFailure `chapter_accepted` when a person has accepted it meanwhile, `chapter_gone` when it was deleted */
  saveChapter(result: ChapterResult): Promise<void>;
}

/** A passage of the book's sources, found or listed. */
export interface Passage {
  id: string;
  source_id: string;
  source_title: string;
  author: string | null;
  text: string;
  span: { start: number; end: number };
  heading_path: string[];
  /** 5, 3 or 1 (B15). */
  weight: number;
}

/** Something that a chapter has told already. */
export interface Memory {
  title: string;
  text: string;
}

/** The book's sources and the memory of its chapters (B14–B16). */
export interface BookKnowledge {
  search(query: string, k: number): Promise<Passage[]>;
  /** All passages in the order of their sources, at most so many. */
  all(limit: number): Promise<Passage[]>;
  recall(query: string, k: number): Promise<Memory[]>;
  /** Indexes the newest text of a chapter, in place of an older one; twice is once. */
  remember(chapter: { id: string; title: string; content: string }): Promise<void>;
}

export interface BookPorts {
  book: BookStore;
  knowledge: BookKnowledge;
  model: RunModel;
  rules: BookRules;
  /** The installation has no model: everything is done by rules. */
  offline: boolean;
  emit: RunEvents['emit'];
  settings: { decisionDeadlineSeconds: number };
}
