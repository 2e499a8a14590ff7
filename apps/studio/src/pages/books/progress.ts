import type { Phrase } from '#contracts/phrases/render.js';
import type { Outline } from '../../api/books';
import type { Run } from '../../api/runs';

/** Progress details of a book's run (B5, B6, B11). */
export interface BookProgress {
  output_payload: {
    progress: { revision_count: number };
    fallback_stages: string[];
    score: number | null;
    proposed_outline: Outline | null;
    outline_changes: { unclear: string[]; unclear_phrases?: (Phrase | null)[] } | null;
  };
}

const NOTHING: BookProgress = {
  output_payload: {
    progress: { revision_count: 0 },
    fallback_stages: [],
    score: null,
    proposed_outline: null,
    outline_changes: null,
  },
};

/** Returns a run's progress with defaults for fields that new runs and runs of older releases lack. */
export function bookProgress({ progress }: Run): BookProgress {
  const details = progress.details as Partial<BookProgress>;
  return { ...NOTHING, ...details, output_payload: { ...NOTHING.output_payload, ...details.output_payload } };
}
