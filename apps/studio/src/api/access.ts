import { apiChange, apiQuery } from './api-query';
import { api, type Schemas } from './client';

export const keysQuery = apiQuery(['keys'], '/api/keys', { query: { limit: 100 } });

/** Creates an API key. Only this response contains the key itself. @throws ApiProblem */
export const createKey = (body: Schemas['NewApiKey']) => apiChange(api.POST('/api/keys', { body }), ['keys']);

/** @throws ApiProblem `last_admin_key` */
export const revokeKey = (id: string) =>
  apiChange(api.DELETE('/api/keys/{key_id}', { params: { path: { key_id: id } } }), ['keys']);
