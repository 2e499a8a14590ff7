import { apiChange, apiQuery } from './api-query';
import { api, postFiles, type Schemas } from './client';
import { queryClient } from './query-client';

export type Proposal = Schemas['Proposal'];
export type ProposalDecision = Schemas['ProposalDecision'];

/** Refetch interval of a review while its file is read. */
const POLL_INTERVAL_MS = 2_000;

/** Query for the newest review of a session. */
export const reviewOf = (sessionId: string) =>
  apiQuery(
    ['runs', 'review', sessionId],
    '/api/agents/runs',
    { query: { session_id: sessionId, kind: 'review', limit: 1 } },
    {
      refetchInterval: ({ state }) =>
        state.data?.items.some(({ finished_at: end }) => end === null) ? POLL_INTERVAL_MS : false,
    },
  );

/** Query for the first proposals of a review. */
export const proposalsOf = (runId: string) =>
  apiQuery(['runs', runId, 'proposals'], '/api/reviews/{run_id}/proposals', {
    path: { run_id: runId },
    query: { limit: 100 },
  });

/** Sends a Word file that came back. @throws ApiProblem */
export async function startReview(sessionId: string, file: File): Promise<void> {
  await postFiles(`/api/sessions/${sessionId}/reviews`, [{ name: file.name, file }]);
  await queryClient.invalidateQueries({ queryKey: ['runs'] });
}

/** Accepts, rejects or answers proposals. @throws ApiProblem */
export const decideProposals = (runId: string, body: ProposalDecision) =>
  apiChange(api.POST('/api/reviews/{run_id}/decisions', { params: { path: { run_id: runId } }, body }), [
    'runs',
    runId,
    'proposals',
  ]);

/** Makes a new manuscript and Word file of what is accepted. @throws ApiProblem `changed_meanwhile` */
export const finishReview = (runId: string) =>
  apiChange(
    api.POST('/api/reviews/{run_id}/finish', { params: { path: { run_id: runId } } }),
    ...[['runs'], ['manuscript'], ['results'], ['exports']],
  );
