import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './client';

/** Whether the browser has to sign in again. */
const isSignedOut = (error: unknown) => error instanceof ApiProblem && error.problem.status === 401;

/** Whether the service will say the same to the same request. */
export const isRefusal = (error: unknown) =>
  error instanceof ApiProblem && error.problem.status < 500 && error.problem.code !== 'too_many_requests';

/** What the service refuses stays refused; what did not reach it is tried again, for as long as a gateway takes to start. */
const shouldRetry = (failures: number, error: unknown) => failures < 6 && !isRefusal(error);
/** Milliseconds until what did not reach the service is tried again. */
export const retryDelay = (failures: number) => Math.min(1_000 * 2 ** failures, 5_000);

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (isSignedOut(error) && query.queryKey[0] !== 'session')
        void queryClient.invalidateQueries({ queryKey: ['session'] });
    },
  }),
  mutationCache: new MutationCache({
    onError: (error) => {
      if (isSignedOut(error)) void queryClient.invalidateQueries({ queryKey: ['session'] });
    },
  }),
  defaultOptions: { queries: { retry: shouldRetry, retryDelay, staleTime: 5_000 } },
});

/**
 * Whether a failure stands in place of what was asked for: when nothing has come yet, or the service says that it is there no more. What
 * could not be read anew, because a gateway is away, stays, and with it what somebody types beside it.
 */
export const standsInTheWay = (error: unknown, data: unknown): boolean =>
  error !== null && (data === undefined || isRefusal(error));
