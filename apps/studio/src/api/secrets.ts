import { apiChange, apiQuery } from './api-query';
import { api, type Schemas } from './client';

export type Secret = Schemas['Secret'];

const at = (id: string) => ({ params: { path: { credential_id: id } } });

export const secretsQuery = apiQuery(['secrets'], '/api/secrets', {});

/** Stores a secret; its value is not returned. @throws ApiProblem */
export const addSecret = (name: string, value: string, hosts: string[]) =>
  apiChange(api.POST('/api/secrets', { body: { name, value, hosts } }), ['secrets']);

/** Replaces the value of a secret. @throws ApiProblem */
export const replaceSecret = (id: string, value: string) =>
  apiChange(api.PATCH('/api/secrets/{credential_id}', { ...at(id), body: { value } }), ['secrets']);

export const planHostsQuery = apiQuery(['plan-hosts'], '/api/plan-hosts', {});

/** Replaces the hosts that plans made by a model may read without approval. @throws ApiProblem */
export const changePlanHosts = (hosts: string[]) =>
  apiChange(api.PATCH('/api/plan-hosts', { body: { hosts } }), ['plan-hosts']);

/** @throws ApiProblem */
export const removeSecret = (id: string) =>
  apiChange(api.DELETE('/api/secrets/{credential_id}', at(id)), ['secrets']);
