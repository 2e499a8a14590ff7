import type { Phrase } from '#contracts/phrases/render.js';
import type { Outline } from '../../api/books';
import type { Run } from '../../api/runs';

/** Progress details of a book's run (B5, B6, B11); new runs and runs of older releases lack some. */
export interface BookProgress {
  fallback_stages?: string[];
  proposed_outline?: Outline | null;
  outline_changes?: { unclear: string[]; unclear_phrases?: (Phrase | null)[] } | null;
}

export const bookProgress = ({ progress }: Run): BookProgress =>
  (progress.details as { output_payload?: BookProgress }).output_payload ?? {};
