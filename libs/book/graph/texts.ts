import type { Fact } from '#contracts/facts.js';
import type { ChapterCitation } from '../contract/review.js';

/** Text of a written chapter, with the data derived from it. */
export interface ChapterText {
  chapter_id: string;
  number: number;
  title: string;
  /** Whether a person accepted the chapter. */
  accepted: boolean;
  /** Whether a model wrote the text; if so, quotations compiled by rules must not replace it. */
  byModel: boolean;
  content: string;
  facts: Fact[];
  citations: ChapterCitation[];
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

/** Something that an earlier chapter says. */
export interface Memory {
  title: string;
  text: string;
}
