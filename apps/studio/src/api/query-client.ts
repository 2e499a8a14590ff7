import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '#contracts/api/responses.js';

/** Returns whether the user must sign in again. */
const isSignedOut = (error: unknown) => error instanceof ApiProblem && error.problem.status === 401;

/** Returns whether the service would give the same answer again. */
export const isRefusal = (error: unknown) =>
  error instanceof ApiProblem && error.problem.status < 500 && error.problem.code !== 'too_many_requests';

/**
 * Retries requests that did not reach the service, for as long as a gateway needs to start; never retries
 * refusals.
 */
const shouldRetry = (failures: number, error: unknown) => failures < 6 && !isRefusal(error);
/** Returns the retry delay in ms. */
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
  defaultOptions: {
    // The browser is no judge of the network: a service on this machine can be reached while it is offline.
    queries: { retry: shouldRetry, retryDelay, staleTime: 5_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

/**
 * Returns whether an error replaces the requested data: when nothing was loaded yet, or the service refuses.
 * If only a refetch fails because a gateway is unreachable, the old data stays on the page, with anything
 * being typed.
 */
export const isBlockingError = (error: unknown, data: unknown): boolean =>
  error !== null && (data === undefined || isRefusal(error));
