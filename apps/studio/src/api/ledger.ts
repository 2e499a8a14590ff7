import { queryOptions } from '@tanstack/react-query';
import { problemOf } from './client';

/** What the pages read of a ledger (X1); the counts are lines of a source. */
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
    omissions: { first_line: number; last_line: number; reason: string; by: 'rule' | 'person' }[];
  }[];
  unaccounted: { source: string; line: number; last_line: number; text: string; reason: string | null }[];
  altered: {
    source: string;
    line: number;
    manuscript_line: number;
    reason: string;
    diff: { op: 'equal' | 'delete' | 'insert'; text: string }[];
  }[];
}

/** The ledger of the last validation; null before the first. */
export const ledgerOf = (sessionId: string) =>
  queryOptions({
    queryKey: ['ledger', sessionId],
    queryFn: async ({ signal }): Promise<Ledger | null> => {
      const response = await fetch(`/api/sessions/${sessionId}/ledger`, { signal });
      if (response.status === 404) return null;
      if (!response.ok) throw await problemOf(response);
      return (await response.json()) as Ledger;
    },
  });
