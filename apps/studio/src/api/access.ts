import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from './client';
import { queryClient } from './query-client';

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: () => unwrap(api.GET('/api/keys', { params: { query: { limit: 100 } } })),
});

/** Creates an API key. Only this response contains the key itself. @throws ApiProblem */
export async function createKey(body: Schemas['NewApiKey']): Promise<Schemas['CreatedApiKey']> {
  const created = await unwrap(api.POST('/api/keys', { body }));
  await queryClient.invalidateQueries({ queryKey: ['keys'] });
  return created;
}

/** @throws ApiProblem `last_admin_key` */
export async function revokeKey(id: string): Promise<void> {
  await unwrap(api.DELETE('/api/keys/{key_id}', { params: { path: { key_id: id } } }));
  await queryClient.invalidateQueries({ queryKey: ['keys'] });
}
