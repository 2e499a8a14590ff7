import type { Phrase } from '#contracts/phrases/render.js';
import { queryOptions } from '@tanstack/react-query';
import { api, fetchedIfAny, unwrap } from './client';

/** The parts of a ledger that the pages use (X1); counts are in source lines. */
export interface Ledger {
  policy: 'verbatim' | 'narrative';
  coverage: number;
  manuscript: { lines: number; carried: number; added: number };
  files: {
    name: string;
    form: string;
    coverage: number;
    /** UTF-8 bytes; absent in ledgers of older releases. */
    bytes?: { total: number; missing: number };
    lines: number;
    carried: number;
    omitted: number;
    altered: number;
    unaccounted: number;
    /** Pieces of the file before its text was extracted; absent for files that are text. */
    inventory?: {
      pieces: number;
      left_out: number;
      lost: number;
      entries: {
        place: string;
        /** Phrases of the texts; absent for words from the file, and in ledgers of older releases. */
        place_phrase?: Phrase;
        outcome: 'left_out' | 'lost' | 'said_twice';
        words: string;
        reason: string;
        reason_phrase?: Phrase;
      }[];
      problem?: string;
    };
    omissions: { first_line: number; last_line: number; reason: string; by: 'rule' | 'person' }[];
  }[];
  /**
   * `count` source lines from `line` on are carried from `manuscript_line` on, line by line or all in one
   * place.
   */
  runs: {
    /** Index of the source in `files`. */
    source: number;
    line: number;
    manuscript_line: number;
    count: number;
    how: 'exact' | 'wrapped' | 'table' | 'sentence';
  }[];
  added: { manuscript_line: number; last_line: number; kind: string; text: string }[];
  unaccounted: { source: string; line: number; last_line: number; text: string; reason: string | null }[];
  altered: {
    source: string;
    line: number;
    manuscript_line: number;
    reason: string;
    diff: { op: 'equal' | 'delete' | 'insert'; text: string }[];
  }[];
  /**
   * Lines of the sources in the Word file; absent until the file is read back, and in ledgers of older
   * releases.
   */
  word?: {
    coverage: number;
    /** Number of lines with words and number of completely shown lines, in the order of `files`. */
    files: { wanted: number; shown: number }[];
    /** `count` source lines from `line` on begin in line `shown` of the Word file, `step` lines apart. */
    runs: { source: number; line: number; count: number; shown: number; step: number }[];
    missing: { source: number; line: number; text: string }[];
  };
}

/** Query for the ledger of the last validation; null before the first. */
export const ledgerOf = (sessionId: string) =>
  queryOptions({
    queryKey: ['ledger', sessionId],
    queryFn: async ({ signal }): Promise<Ledger | null> => {
      const response = await fetchedIfAny(`/api/sessions/${sessionId}/ledger`, { signal });
      return (response && (await response.json())) as Ledger | null;
    },
  });

/** Lines per request. */
export const LINES_A_PAGE = 500;

/** Query for a page of lines: of the given input, or of the manuscript if `input` is null. */
export const linesOf = (sessionId: string, input: string | null, page: number) =>
  queryOptions({
    queryKey: ['lines', sessionId, input, page],
    queryFn: async (): Promise<string[]> => {
      const query = { first: page * LINES_A_PAGE + 1, count: LINES_A_PAGE };
      const path = { session_id: sessionId };
      const { lines } = await unwrap(
        input === null
          ? api.GET('/api/sessions/{session_id}/manuscript/lines', { params: { path, query } })
          : api.GET('/api/sessions/{session_id}/inputs/{name}/lines', {
              params: { path: { ...path, name: input }, query },
            }),
      );
      return lines;
    },
    staleTime: Infinity,
  });
