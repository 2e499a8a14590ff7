import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from './client';
import { pagesOf } from './pages';
import { queryClient } from './query-client';

export type Run = Schemas['Run'];

const ENDED: ReadonlySet<Run['status']> = new Set(['completed', 'failed', 'cancelled', 'rejected']);

/** Whether a run has come to its end. */
export const isOver = ({ status }: Pick<Run, 'status'>): boolean => ENDED.has(status);

/** Runs, newest first, looked at again every few seconds. */
export const runsOf = (name: string, of: { kind?: Run['kind'] }) =>
  pagesOf(
    ['runs', name],
    (page) => unwrap(api.GET('/api/agents/runs', { params: { query: { ...page, ...of } } })),
    5_000,
  );

export const runsQuery = runsOf('all', {});

/** How often a run that goes on is read although its events tell of nothing new: they may not have come through. */
const LOOK_MS = 10_000;

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', id],
    queryFn: () => unwrap(api.GET('/api/agents/runs/{run_id}', { params: { path: { run_id: id } } })),
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : LOOK_MS),
  });

/** @throws ApiProblem */
export async function cancelRun(id: string): Promise<void> {
  await unwrap(api.POST('/api/agents/runs/{run_id}/cancel', { params: { path: { run_id: id } } }));
  await queryClient.invalidateQueries({ queryKey: ['runs'] });
}
