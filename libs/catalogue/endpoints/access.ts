import * as access from '#contracts/api/access-schemas.js';
import { pageOf, pageQuery } from '#contracts/api/paging.js';
import { defineEndpoints } from '#contracts/api/endpoints/endpoint.js';

/** Operations with the tag `access`. */
export const accessEndpoints = defineEndpoints('access', {
  issueToken: {
    method: 'POST',
    path: '/api/auth/token',
    summary: 'Get a short-lived token with some of the scopes of the key',
    scope: 'any',
    body: access.tokenRequestSchema,
    status: 201,
    response: access.tokenSchema,
    shownOnce: 'access_token',
  },
  listKeys: {
    method: 'GET',
    path: '/api/keys',
    summary: 'List the API keys of the tenant, newest first',
    scope: 'admin',
    query: pageQuery,
    response: pageOf(access.apiKeySchema),
  },
  createKey: {
    method: 'POST',
    path: '/api/keys',
    summary: 'Create an API key',
    scope: 'admin',
    body: access.newApiKeySchema,
    status: 201,
    response: access.createdApiKeySchema,
    shownOnce: 'key',
    errors: ['too_many_keys'],
  },
  rotateKey: {
    method: 'POST',
    path: '/api/keys/:key_id/rotate',
    summary: 'Rotate an API key: create a successor with the same name and scopes, and expire the key',
    scope: 'admin',
    body: access.rotationSchema,
    status: 201,
    response: access.createdApiKeySchema,
    shownOnce: 'key',
    errors: ['too_many_keys'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api/keys/:key_id',
    summary: 'Revoke an API key and the tokens issued with it; their event streams end within 5 seconds',
    scope: 'admin',
    errors: ['last_admin_key'],
  },
  listAudit: {
    method: 'GET',
    path: '/api/audit',
    summary: 'Read the audit log, newest first',
    scope: 'admin',
    query: pageQuery,
    response: pageOf(access.auditEntrySchema),
  },
});
