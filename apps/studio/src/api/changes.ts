import { apiChange, apiQuery } from './api-query';
import { api, type Schemas, unwrap } from './client';
import { queryClient } from './query-client';

export type SelectionChange = Schemas['SelectionChange'];

/** Text with parts that can be changed. */
export type ChangeableText = { chapter_id: string } | { session_id: string; of: 'document' | 'article' };

/** Queries that show a text, or something derived from it. */
const SHOWN = [['chapter'], ['chapters'], ['manuscript'], ['ledger'], ['results'], ['exports'], ['diff']];

/** Refetch interval of a change without a proposal. */
const POLL_INTERVAL_MS = 10_000;

const at = (runId: string) => ({ path: { run_id: runId } });

/**
 * Starts the run that proposes new words.
 *
 * @param content the text as the page shows it; the service finds the selection by its words
 * @returns the run's ID
 * @throws ApiProblem
 */
export async function proposeChange(
  text: ChangeableText,
  content: string,
  span: { start: number; end: number },
  instruction: string,
): Promise<string> {
  const quote = content.slice(span.start, span.end);
  const selection = { quote, occurrence: occurrenceOf(content, quote, span.start) };
  const body = { ...text, selection, instruction };
  return (await unwrap(api.POST('/api/changes', { body }))).run_id;
}

/** Returns the number of an occurrence among all identical ones in a text, counted from 1. */
function occurrenceOf(content: string, quote: string, start: number): number {
  let count = 1;
  for (let from = content.indexOf(quote); from >= 0 && from < start; from = content.indexOf(quote, from + 1))
    count++;
  return count;
}

/** Query for a change, refetched until its run has ended, because events may be lost. */
export const changeQuery = (runId: string) =>
  apiQuery(['runs', runId, 'change'], '/api/changes/{run_id}', at(runId), {
    refetchInterval: ({ state }) =>
      state.data && state.data.state !== 'proposing' ? false : POLL_INTERVAL_MS,
  });

/** Accepts or rejects a proposal. @throws ApiProblem `changed_meanwhile` */
export async function decideChange(runId: string, decision: 'accept' | 'reject'): Promise<void> {
  const params = at(runId);
  const change = await apiChange(
    decision === 'accept'
      ? api.POST('/api/changes/{run_id}/accept', { params })
      : api.POST('/api/changes/{run_id}/reject', { params }),
    ...(decision === 'accept' ? SHOWN : []),
  );
  queryClient.setQueryData(changeQuery(runId).queryKey, change);
}
