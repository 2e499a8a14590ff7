import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call, nullIf, type Schemas } from './api-query';
import { queryClient } from './query-client';

export type WebSession = Schemas['WebSession'];
export type Scope = WebSession['scopes'][number];

/** Query for the signed-in session; null while signed out. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: (): Promise<WebSession | null> => nullIf(401, call('GET /api/studio/session', {})),
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
