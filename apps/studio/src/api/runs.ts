import { apiPages, apiQuery, type Schemas } from './api-query';

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
