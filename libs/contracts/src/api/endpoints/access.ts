import { z } from 'zod';
import * as access from '../access-schemas.js';
import * as schemas from '../schemas.js';
import { defineEndpoints } from './endpoint.js';

/** Operations with the tag `access`. */
export const accessEndpoints = defineEndpoints({
  issueToken: {
    method: 'POST',
    path: '/api/auth/token',
    summary: 'Get a short-lived token with some of the scopes of the key',
    tag: 'access',
    scope: 'any',
    body: access.tokenRequestSchema,
    status: 201,
    response: access.tokenSchema,
    shownOnce: 'access_token',
    errors: ['malformed_json', 'invalid_request'],
  },
  listKeys: {
    method: 'GET',
    path: '/api/keys',
    summary: 'List the API keys of the tenant, newest first',
    tag: 'access',
    scope: 'admin',
    status: 200,
    response: schemas.listOf(access.apiKeySchema),
    errors: [],
  },
  createKey: {
    method: 'POST',
    path: '/api/keys',
    summary: 'Make an API key',
    tag: 'access',
    scope: 'admin',
    body: access.newApiKeySchema,
    status: 201,
    response: access.createdApiKeySchema,
    shownOnce: 'key',
    errors: ['malformed_json', 'invalid_request'],
  },
  rotateKey: {
    method: 'POST',
    path: '/api/keys/:key_id/rotate',
    summary: 'Make a successor with the same name and scopes and end the key',
    tag: 'access',
    scope: 'admin',
    body: access.rotationSchema,
    status: 201,
    response: access.createdApiKeySchema,
    shownOnce: 'key',
    errors: ['malformed_json', 'invalid_request', 'not_found'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api/keys/:key_id',
    summary: 'Revoke an API key and the tokens made with it; their event streams end within 5 seconds',
    tag: 'access',
    scope: 'admin',
    status: 204,
    errors: ['not_found', 'last_admin_key'],
  },
  listAudit: {
    method: 'GET',
    path: '/api/audit',
    summary: 'Read the audit log, newest first',
    tag: 'access',
    scope: 'admin',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      before: z.coerce
        .number()
        .int()
        .min(1)
        .optional()
        .meta({ description: 'the id of the last entry seen' }),
    }),
    status: 200,
    response: schemas.listOf(access.auditEntrySchema),
    errors: ['invalid_request'],
  },
});
