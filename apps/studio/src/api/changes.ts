import { apiQuery, change, call, type Schemas } from './api-query';
import { queryClient } from './query-client';

export type SelectionChange = Schemas['SelectionChange'];

/** Text with parts that can be changed. */
export type ChangeableText = { chapter_id: string } | { session_id: string; of: 'document' | 'article' };

/** Queries that show a text, or something derived from it. */
const SHOWN = [['chapter'], ['chapters'], ['manuscript'], ['ledger'], ['results'], ['exports'], ['diff']];

/** Refetch interval of a change without a proposal. */
const POLL_INTERVAL_MS = 10_000;

/**
 * Starts the run that proposes new words, or checks those of the user. The service finds a selection by its words.
 *
 * @returns the run's ID
 * @throws ApiProblem
 */
export async function proposeChange(
  text: ChangeableText,
  change: Pick<Schemas['NewChange'], 'selection' | 'instruction' | 'replacement'>,
): Promise<string> {
  return (await call('POST /api/changes', { body: { ...text, ...change } })).run_id;
}

/** Query for a change, refetched until its run has ended, because events may be lost. */
export const changeQuery = (runId: string) =>
  apiQuery(
    ['runs', runId, 'change'],
    '/api/changes/{run_id}',
    { run_id: runId },
    {
      refetchInterval: ({ state }) =>
        state.data && state.data.state !== 'proposing' ? false : POLL_INTERVAL_MS,
    },
  );

/** Accepts or rejects a proposal. @throws ApiProblem `changed_meanwhile` */
export async function decideChange(runId: string, decision: 'accept' | 'reject'): Promise<void> {
  const stale = decision === 'accept' ? SHOWN : [];
  const decided = await change(`POST /api/changes/{run_id}/${decision}`, { run_id: runId }, ...stale);
  queryClient.setQueryData(changeQuery(runId).queryKey, decided);
}
