import * as secrets from './secret-schemas.js';
import { listOf } from '#contracts/api/schemas.js';
import { defineEndpoints } from '#contracts/api/endpoints/endpoint.js';

/** Operations with the tag `secrets`. */
export const secretsEndpoints = defineEndpoints('secrets', {
  addSecret: {
    method: 'POST',
    path: '/api/secrets',
    summary: 'Store a secret that HTTP requests of plans use by its name',
    scope: 'admin',
    body: secrets.newSecretSchema,
    status: 201,
    response: secrets.secretSchema,
    errors: ['secret_exists', 'too_many_secrets'],
  },
  listSecrets: {
    method: 'GET',
    path: '/api/secrets',
    summary: 'List the names and hosts of the secrets, newest first (a tenant may have 50)',
    response: listOf(secrets.secretSchema),
  },
  changeSecret: {
    method: 'PATCH',
    path: '/api/secrets/:credential_id',
    summary: 'Replace the value or the hosts of a secret; new hosts require the value again',
    scope: 'admin',
    body: secrets.secretChangeSchema,
    response: secrets.secretSchema,
  },
  getPlanHosts: {
    method: 'GET',
    path: '/api/plan-hosts',
    summary: 'Get the hosts that plans made by a model may read without approval',
    response: secrets.planHostsSchema,
  },
  changePlanHosts: {
    method: 'PATCH',
    path: '/api/plan-hosts',
    summary: 'Replace the hosts that plans made by a model may read without approval',
    scope: 'admin',
    body: secrets.planHostsSchema,
    response: secrets.planHostsSchema,
  },
  deleteSecret: {
    method: 'DELETE',
    path: '/api/secrets/:credential_id',
    summary: 'Delete a secret; requests that use it fail',
    scope: 'admin',
  },
});
