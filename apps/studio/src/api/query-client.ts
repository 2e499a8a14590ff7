import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './client';

/** Whether the browser has to sign in again. */
const isSignedOut = (error: unknown) => error instanceof ApiProblem && error.problem.status === 401;

/** What the service refuses stays refused; what did not reach it is tried again, for as long as a gateway takes to start. */
const shouldRetry = (failures: number, error: unknown) =>
  failures < 6 && !(error instanceof ApiProblem && error.problem.status < 500);
const retryDelay = (failures: number) => Math.min(1_000 * 2 ** failures, 5_000);

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (isSignedOut(error) && query.queryKey[0] !== 'session')
        void queryClient.invalidateQueries({ queryKey: ['session'] });
    },
  }),
  defaultOptions: { queries: { retry: shouldRetry, retryDelay, staleTime: 5_000 } },
});
