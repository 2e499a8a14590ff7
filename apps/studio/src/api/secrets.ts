import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from './client';
import { queryClient } from './query-client';

export type Secret = Schemas['Secret'];

const at = (id: string) => ({ params: { path: { credential_id: id } } });

export const secretsQuery = queryOptions({
  queryKey: ['secrets'],
  queryFn: () => unwrap(api.GET('/api/secrets')),
});

/** Stores a secret; its value is not returned. @throws ApiProblem */
export const addSecret = (name: string, value: string, hosts: string[]) =>
  changed(api.POST('/api/secrets', { body: { name, value, hosts } }));

/** Replaces the value of a secret. @throws ApiProblem */
export const replaceSecret = (id: string, value: string) =>
  changed(api.PATCH('/api/secrets/{credential_id}', { ...at(id), body: { value } }));

/** @throws ApiProblem */
export const removeSecret = (id: string) => changed(api.DELETE('/api/secrets/{credential_id}', at(id)));

async function changed<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const data = await unwrap(call);
  await queryClient.invalidateQueries({ queryKey: ['secrets'] });
  return data;
}
