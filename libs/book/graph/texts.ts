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
  /** Collection with the stored text of the source. Absent in a state saved by an older release, like the fields below. */
  collection_id?: string | null;
  /** Address of the page whose copy the source is, and when the page was read. */
  url?: string | null;
  fetched_at?: string | null;
  /** Date of publication, `YYYY-MM-DD`. */
  date?: string | null;
  /** 5, 3 or 1 (B15). */
  weight: number;
}

/** A statement of an earlier chapter. */
export interface Memory {
  title: string;
  text: string;
}
