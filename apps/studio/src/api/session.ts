import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { ApiProblem, call, type Schemas } from './client';
import { queryClient } from './query-client';

export type WebSession = Schemas['WebSession'];
export type Scope = WebSession['scopes'][number];

/** Query for the signed-in session; null while signed out. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<WebSession | null> => {
    try {
      return await call('GET /api/studio/session', {});
    } catch (error) {
      if (error instanceof ApiProblem && error.problem.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** Returns whether the session's key has a scope; the page hides actions without it. */
export function useMay(scope: Scope): boolean {
  return useSuspenseQuery(sessionQuery).data?.scopes.includes(scope) ?? false;
}

/** Signs in with an API key or the secret of a link. @throws ApiProblem */
export async function signIn(credential: string): Promise<void> {
  const headers = { authorization: `Bearer ${credential}` };
  const session = await call('POST /api/studio/sign-in', { headers });
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

export async function signOut(): Promise<void> {
  await call('POST /api/studio/sign-out', {}).catch(() => undefined);
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
}
