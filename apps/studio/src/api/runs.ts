import { apiPages, apiQuery, type Schemas, change, call } from './api-query';
import { queryOptions } from '@tanstack/react-query';
import { everyItem } from '#contracts/api/responses.js';

export type Run = Schemas['Run'];

export const RUN_STATUSES = [
  'queued',
  'running',
  'needs_answer',
  'completed',
  'failed',
  'cancelled',
  'rejected',
] as const satisfies readonly Run['status'][];

const ENDED: ReadonlySet<Run['status']> = new Set(['completed', 'failed', 'cancelled', 'rejected']);

/** Returns whether a run has ended. */
export const isOver = ({ status }: Pick<Run, 'status'>): boolean => ENDED.has(status);

/** Selects runs with a status, or with a title that contains a text. */
export interface RunSelection {
  status?: Run['status'] | undefined;
  title?: string | undefined;
}

/** Query for runs, newest first, refetched every few seconds. */
export const runsOf = ({ status, title }: RunSelection) => {
  const query = { ...(status && { status }), ...(title && { title }) };
  return apiPages(['runs', 'list', JSON.stringify(query)], '/api/agents/runs', query, 5_000);
};

/** Refetch interval of an active run without new events, because events may have been lost. */
const POLL_INTERVAL_MS = 10_000;

export const runQuery = (id: string) =>
  apiQuery(
    ['runs', id],
    '/api/agents/runs/{run_id}',
    { run_id: id },
    { refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : POLL_INTERVAL_MS) },
  );

export type HistoryEntry = Schemas['HistoryEntry'];
export type ModelCall = Schemas['ModelCall'];

/** Query for the checkpoints of a run, newest first. */
export const historyOf = (runId: string) =>
  apiQuery(['runs', runId, 'history'], '/api/agents/runs/{run_id}/history', { run_id: runId, limit: 100 });

/** Query for the input and output of the step that saved a checkpoint; these never change. */
export const stepQuery = (runId: string, checkpointId: string) =>
  apiQuery(
    ['runs', runId, 'steps', checkpointId],
    '/api/agents/runs/{run_id}/steps/{step_id}',
    { run_id: runId, step_id: checkpointId },
    { staleTime: Infinity },
  );

/** Query for all model calls of the run itself, oldest first. */
export const modelCallsOf = (runId: string) =>
  queryOptions({
    queryKey: ['runs', runId, 'model-calls'],
    queryFn: () =>
      everyItem((page) => call('GET /api/agents/runs/{run_id}/model-calls', { run_id: runId, ...page })),
  });

/** Starts a new run from a checkpoint in the same session. @throws ApiProblem `run_active` */
export const restore = (session_id: string, run_id: string, checkpoint_id: string) =>
  change('POST /api/sessions/{session_id}/restore', { session_id, body: { run_id, checkpoint_id } }, [
    'runs',
  ]);

/** Refetch interval of the comparison with a running fork, in ms. */
const COMPARISON_INTERVAL_MS = 5_000;

/**
 * Query for the differences between a fork's manuscript and the original. Refetches while the fork runs and
 * once more after it has ended.
 */
export const diffWith = (origin: string, forkId: string, isRunning: boolean) =>
  apiQuery(
    ['diff', origin, forkId, isRunning],
    '/api/sessions/{session_id}/diff',
    { session_id: origin, with: forkId },
    { refetchInterval: isRunning && COMPARISON_INTERVAL_MS, staleTime: 0 },
  );
