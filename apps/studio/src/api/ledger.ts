import type { Ledger } from '#verbatim/schema.js';
import { queryOptions } from '@tanstack/react-query';
import { call, fetchedIfAny } from './api-query';

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
      const asked = { session_id: sessionId, first: page * LINES_A_PAGE + 1, count: LINES_A_PAGE };
      const { lines } = await (input === null
        ? call('GET /api/sessions/{session_id}/manuscript/lines', asked)
        : call('GET /api/sessions/{session_id}/inputs/{name}/lines', { ...asked, name: input }));
      return lines;
    },
    staleTime: Infinity,
  });
