import { apiQuery, change } from './api-query';
import { postFiles, type Schemas } from './client';
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
    { session_id: sessionId, kind: 'review', limit: 1 },
    {
      refetchInterval: ({ state }) =>
        state.data?.items.some(({ finished_at: end }) => end === null) ? POLL_INTERVAL_MS : false,
    },
  );

/** Query for the first proposals of a review. */
export const proposalsOf = (runId: string) =>
  apiQuery(['runs', runId, 'proposals'], '/api/reviews/{run_id}/proposals', {
    run_id: runId,
    limit: 100,
  });

/** Sends a Word file that came back. @throws ApiProblem */
export async function startReview(sessionId: string, file: File): Promise<void> {
  await postFiles(`/api/sessions/${sessionId}/reviews`, [{ name: file.name, file }]);
  await queryClient.invalidateQueries({ queryKey: ['runs'] });
}

/** Accepts, rejects or answers proposals. @throws ApiProblem */
export const decideProposals = (runId: string, body: ProposalDecision) =>
  change('POST /api/reviews/{run_id}/decisions', { run_id: runId, body }, ['runs', runId, 'proposals']);

/** Makes a new manuscript and Word file of what is accepted. @throws ApiProblem `changed_meanwhile` */
export const finishReview = (runId: string) =>
  change(
    'POST /api/reviews/{run_id}/finish',
    { run_id: runId },
    ...[['runs'], ['manuscript'], ['results'], ['exports']],
  );
