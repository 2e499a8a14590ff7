import * as operations from '#contracts/api/operations-schemas.js';
import { pageOf, pageQuery } from '#contracts/api/paging.js';
import { listOf } from '#contracts/api/schemas.js';
import { queueDepthSchema } from '#contracts/api/operations-schemas.js';
import * as access from '#contracts/api/access-schemas.js';
import * as tenants from '#contracts/api/access-schemas.js';
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

/** Operations with the tag `admin`. */
export const adminEndpoints = defineEndpoints('admin', {
  listTenants: {
    method: 'GET',
    path: '/api/admin/tenants',
    summary: 'List tenants with their limits and usage, oldest first',
    admin: true,
    query: pageQuery,
    response: pageOf(tenants.tenantSchema),
  },
  createTenant: {
    method: 'POST',
    path: '/api/admin/tenants',
    summary: 'Create a tenant and its first API key, which is shown only once',
    admin: true,
    body: tenants.newTenantSchema,
    status: 201,
    response: tenants.createdTenantSchema,
  },
  changeTenant: {
    method: 'POST',
    path: '/api/admin/tenants/:tenant_id',
    summary: 'Suspend or reactivate a tenant, or change its limits',
    admin: true,
    body: tenants.tenantChangeSchema,
    response: tenants.tenantSchema,
  },
  deleteTenant: {
    method: 'DELETE',
    path: '/api/admin/tenants/:tenant_id',
    summary: 'Delete a tenant with all its data; its active runs are cancelled',
    admin: true,
  },
  listStuckRuns: {
    method: 'GET',
    path: '/api/admin/runs/stuck',
    summary: 'List active runs that make no progress, with the reason; excludes runs that wait for a person',
    admin: true,
    query: operations.stuckRunsQuery,
    response: pageOf(operations.stuckRunSchema),
  },
  listParkedRuns: {
    method: 'GET',
    path: '/api/admin/parked',
    summary: 'List parked runs by graph version and node, and which of them this release would break',
    admin: true,
    query: operations.parkedRunsQuery,
    response: pageOf(operations.parkedRunsSchema),
  },
  listDeadLetters: {
    method: 'GET',
    path: '/api/admin/dead-letters',
    summary: 'List permanently failed jobs, by queue, newest first',
    admin: true,
    query: operations.deadLettersQuery,
    response: pageOf(operations.deadLetterSchema),
  },
  retryDeadLetter: {
    method: 'POST',
    path: '/api/admin/dead-letters/:queue/:job_id/retry',
    summary: 'Put a failed job back into its queue',
    admin: true,
    response: operations.retriedJobSchema,
    errors: ['task_over'],
  },
  listQueues: {
    method: 'GET',
    path: '/api/admin/queues',
    summary: 'Count the jobs of each queue by state',
    admin: true,
    response: listOf(queueDepthSchema),
  },
  listUsage: {
    method: 'GET',
    path: '/api/admin/usage',
    summary: 'Read the usage of each tenant: runs, model calls, tokens, storage; oldest tenant first',
    admin: true,
    query: operations.usageQuery,
    response: pageOf(operations.tenantUsageSchema),
  },
});
