import { queryOptions } from '@tanstack/react-query';
import { everyItem } from '#contracts/api/responses.js';
import { apiQuery, change, call, postFiles, type Schemas } from './api-query';
import { queryClient } from './query-client';

export type Proposal = Schemas['Proposal'];

/** Refetch intervals of proposals, and of a review while its file is read. */
const [POLL_INTERVAL_MS, READING_MS] = [10_000, 2_000];
/** Proposals that one request decides about at most. */
const MAX_NUMBERS = 1_000;

/** Query for the newest review of a session. */
export const reviewOf = (sessionId: string) =>
  apiQuery(
    ['runs', 'review', sessionId],
    '/api/agents/runs',
    { session_id: sessionId, kind: 'review', limit: 1 },
    {
      refetchInterval: ({ state }) =>
        state.data?.items.some(({ finished_at: end }) => end === null) ? READING_MS : false,
    },
  );

/** Query for what a run proposes, in the order of the text; refetched regularly, because others may decide about it. */
export const proposalsOf = (session_id: string, run_id: string) =>
  queryOptions({
    queryKey: ['runs', run_id, 'proposals'],
    queryFn: () =>
      everyItem((page) =>
        call('GET /api/sessions/{session_id}/proposals', { session_id, run_id, ...page, limit: 100 }),
      ),
    refetchInterval: POLL_INTERVAL_MS,
  });

/** Sends a Word file that came back. @throws ApiProblem */
export async function startReview(sessionId: string, file: File): Promise<void> {
  await postFiles(`/api/sessions/${sessionId}/reviews`, [file]);
  await queryClient.invalidateQueries({ queryKey: ['runs'] });
}

/** Accepts or rejects proposals, or opens them again. @throws ApiProblem */
export async function decideProposals(
  session_id: string,
  run_id: string,
  numbers: number[],
  state: Proposal['state'],
): Promise<void> {
  for (let at = 0; at < numbers.length; at += MAX_NUMBERS) {
    const given = { session_id, run_id, body: { state, numbers: numbers.slice(at, at + MAX_NUMBERS) } };
    await call('POST /api/sessions/{session_id}/proposals/{run_id}/decisions', given);
  }
  const { queryKey } = proposalsOf(session_id, run_id);
  // The states on their way are those before the decision.
  await queryClient.cancelQueries({ queryKey });
  const decided = new Set(numbers);
  queryClient.setQueryData(queryKey, (all) =>
    all?.map((one) => (decided.has(one.number) ? { ...one, state } : one)),
  );
}

/** Makes a new manuscript and Word file of what is accepted. @throws ApiProblem `changed_meanwhile` */
export const finishReview = (runId: string) =>
  change(
    'POST /api/reviews/{run_id}/finish',
    { run_id: runId },
    ...[['runs'], ['manuscript'], ['results'], ['exports'], ['chapters'], ['chapter']],
  );
