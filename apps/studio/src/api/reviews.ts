import { apiPages, apiQuery, change } from './api-query';
import { call, postFiles, type Schemas } from './client';
import { queryClient } from './query-client';

export type Proposal = Schemas['Proposal'];

/** Refetch interval of a review while its file is read. */
const POLL_INTERVAL_MS = 2_000;
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
        state.data?.items.some(({ finished_at: end }) => end === null) ? POLL_INTERVAL_MS : false,
    },
  );

/** Query for the proposals of a review. */
export const proposalsOf = (runId: string) =>
  apiPages(['runs', runId, 'proposals'], '/api/reviews/{run_id}/proposals', { run_id: runId });

/** Sends a Word file that came back. @throws ApiProblem */
export async function startReview(sessionId: string, file: File): Promise<void> {
  await postFiles(`/api/sessions/${sessionId}/reviews`, [{ name: file.name, file }]);
  await queryClient.invalidateQueries({ queryKey: ['runs'] });
}

/** Accepts or rejects proposals, or opens them again. @throws ApiProblem */
export async function decideProposals(
  run_id: string,
  numbers: number[],
  state: Proposal['state'],
): Promise<void> {
  for (let at = 0; at < numbers.length; at += MAX_NUMBERS) {
    const body = { state, numbers: numbers.slice(at, at + MAX_NUMBERS) };
    await call('POST /api/reviews/{run_id}/decisions', { run_id, body });
  }
  // A page on its way would be put after the pages as they were before the decision.
  await queryClient.cancelQueries({ queryKey: proposalsOf(run_id).queryKey });
  const decided = new Set(numbers);
  const withState = (one: Proposal) => (decided.has(one.number) ? { ...one, state } : one);
  // A review can have thousands; what changes is known.
  queryClient.setQueryData(
    proposalsOf(run_id).queryKey,
    (data) =>
      data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(withState) })) },
  );
}

/** Makes a new manuscript and Word file of what is accepted. @throws ApiProblem `changed_meanwhile` */
export const finishReview = (runId: string) =>
  change(
    'POST /api/reviews/{run_id}/finish',
    { run_id: runId },
    ...[['runs'], ['manuscript'], ['results'], ['exports'], ['chapters'], ['chapter']],
  );
