import { z } from 'zod';
import type { ProblemCode } from '../errors.js';
import * as access from './access-schemas.js';
import * as operations from './operations-schemas.js';
import * as schemas from './schemas.js';
import * as tenants from './tenant-schemas.js';

export interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  summary: string;
  tag: string;
  /** No API key needed. */
  open?: boolean;
  /** The operator's: needs the admin's credentials (HTTP Basic) in place of a key. */
  admin?: boolean;
  /** The scope that the key needs; `read` for GET and `write` for the rest by default, `any` when each will do. */
  scope?: access.Scope | 'any';
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body may also be (or is only) multipart/form-data. */
  multipart?: 'only' | 'also';
  status: number;
  /** The JSON it answers with; absent for streams and files. */
  response?: z.ZodType;
  /** Media type when it is not JSON. */
  media?: string;
  errors: ProblemCode[];
}

const define = <T extends Record<string, Endpoint>>(catalogue: T): T => catalogue;

/**
 * THE catalogue of endpoints: the gateway's routes, the OpenAPI document and the checks of both come from it. A trailing
 * slash is optional everywhere. Whatever belongs to another tenant is `not_found`, like whatever does not exist.
 */
export const endpoints = define({
  health: {
    method: 'GET',
    path: '/api/health',
    summary: 'Whether the service and what it stands on can be reached',
    tag: 'service',
    open: true,
    status: 200,
    response: schemas.healthSchema,
    errors: [],
  },
  live: {
    method: 'GET',
    path: '/api/health/live',
    summary: 'Whether this process answers at all; what it stands on is not looked at',
    tag: 'service',
    open: true,
    status: 200,
    response: schemas.livenessSchema,
    errors: [],
  },
  ready: {
    method: 'GET',
    path: '/api/health/ready',
    summary: 'Whether this process can serve requests, and the state of each dependency (503 when it cannot)',
    tag: 'service',
    open: true,
    status: 200,
    response: schemas.readinessSchema,
    errors: [],
  },
  issueToken: {
    method: 'POST',
    path: '/api/auth/token',
    summary: 'Get a short-lived token with some of the scopes of the key',
    tag: 'access',
    scope: 'any',
    body: access.tokenRequestSchema,
    status: 201,
    response: access.tokenSchema,
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
  createSession: {
    method: 'POST',
    path: '/api/sessions',
    summary: 'Make a session',
    tag: 'sessions',
    body: schemas.newSessionSchema,
    status: 201,
    response: schemas.sessionSchema,
    errors: ['malformed_json', 'invalid_request'],
  },
  listSessions: {
    method: 'GET',
    path: '/api/sessions',
    summary: 'List sessions, newest first',
    tag: 'sessions',
    query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(50) }),
    status: 200,
    response: schemas.listOf(schemas.sessionSchema),
    errors: ['invalid_request'],
  },
  getSession: {
    method: 'GET',
    path: '/api/sessions/:session_id',
    summary: 'Read a session',
    tag: 'sessions',
    status: 200,
    response: schemas.sessionSchema,
    errors: ['not_found'],
  },
  deleteSession: {
    method: 'DELETE',
    path: '/api/sessions/:session_id',
    summary: 'Delete a session with all its files, runs and results',
    tag: 'sessions',
    status: 204,
    errors: ['not_found', 'run_active'],
  },
  uploadInputs: {
    method: 'POST',
    path: '/api/sessions/:session_id/inputs',
    summary: 'Upload input files (all of them are taken, or none)',
    tag: 'inputs',
    query: z.object({
      encoding: z.string().max(40).optional().meta({
        description:
          'the encoding of the text files, such as windows-1250, when it is not UTF-8: they are converted',
      }),
    }),
    multipart: 'only',
    status: 201,
    response: schemas.listOf(schemas.fileSchema),
    errors: [
      'not_found',
      'invalid_request',
      'unsupported_media_type',
      'empty_upload',
      'invalid_file_name',
      'file_too_large',
      'too_many_files',
      'storage_quota_exceeded',
      'not_text',
      'not_utf8',
      'file_exists',
    ],
  },
  listInputs: {
    method: 'GET',
    path: '/api/sessions/:session_id/inputs',
    summary: 'List input files in processing order',
    tag: 'inputs',
    status: 200,
    response: schemas.listOf(schemas.fileSchema),
    errors: ['not_found'],
  },
  deleteInput: {
    method: 'DELETE',
    path: '/api/sessions/:session_id/inputs/:name',
    summary: 'Delete an input file',
    tag: 'inputs',
    status: 204,
    errors: ['not_found', 'file_in_use'],
  },
  listAssets: {
    method: 'GET',
    path: '/api/sessions/:session_id/assets',
    summary: 'List assets: images and files that the manuscript refers to',
    tag: 'inputs',
    status: 200,
    response: schemas.listOf(schemas.fileSchema),
    errors: ['not_found'],
  },
  getManuscript: {
    method: 'GET',
    path: '/api/sessions/:session_id/manuscript',
    summary: 'Read the manuscript (temp_output.md) as it stands',
    tag: 'results',
    status: 200,
    media: 'text/markdown',
    errors: ['not_found', 'no_manuscript'],
  },
  getLedger: {
    method: 'GET',
    path: '/api/sessions/:session_id/ledger',
    summary: 'Read the verbatim ledger of the last validation (JSON; HTML with format=html)',
    tag: 'results',
    query: z.object({ format: z.enum(['json', 'html']).default('json') }),
    status: 200,
    media: 'application/json',
    errors: ['not_found', 'no_manuscript', 'invalid_request'],
  },
  listCheckpoints: {
    method: 'GET',
    path: '/api/sessions/:session_id/checkpoints',
    summary: 'List named checkpoints, oldest first',
    tag: 'results',
    status: 200,
    response: schemas.listOf(schemas.checkpointSchema),
    errors: ['not_found'],
  },
  getCheckpoint: {
    method: 'GET',
    path: '/api/sessions/:session_id/checkpoints/:checkpoint_id',
    summary: 'Download the manuscript as it stood at a checkpoint',
    tag: 'results',
    status: 200,
    media: 'text/markdown',
    errors: ['not_found'],
  },
  restoreCheckpoint: {
    method: 'POST',
    path: '/api/sessions/:session_id/checkpoints/:checkpoint_id/restore',
    summary: 'Put the manuscript back to a checkpoint',
    tag: 'results',
    status: 200,
    response: schemas.checkpointSchema,
    errors: ['not_found', 'file_in_use'],
  },
  listExports: {
    method: 'GET',
    path: '/api/sessions/:session_id/exports',
    summary: 'List results, newest first',
    tag: 'results',
    status: 200,
    response: schemas.listOf(schemas.exportSchema),
    errors: ['not_found'],
  },
  downloadExport: {
    method: 'GET',
    path: '/api/sessions/:session_id/exports/:export_id',
    summary: 'Download a result',
    tag: 'results',
    status: 200,
    media: 'application/octet-stream',
    errors: ['not_found'],
  },
  startRun: {
    method: 'POST',
    path: '/api/agents/runs',
    summary: 'Start a run; with sync=1 the answer comes when it has ended or waits for a person',
    tag: 'runs',
    query: z.object({ sync: z.enum(['0', '1']).default('0') }),
    body: schemas.newRunSchema,
    status: 202,
    response: schemas.runSchema,
    errors: [
      'malformed_json',
      'invalid_request',
      'not_found',
      'no_inputs',
      'run_active',
      'token_quota_exceeded',
      'cost_quota_exceeded',
      'model_price_unknown',
    ],
  },
  getRun: {
    method: 'GET',
    path: '/api/agents/runs/:run_id',
    summary: 'Read a run',
    tag: 'runs',
    status: 200,
    response: schemas.runSchema,
    errors: ['not_found'],
  },
  followRun: {
    method: 'GET',
    path: '/api/agents/runs/:run_id/events',
    summary: 'Follow a run by server-sent events; Last-Event-ID goes on where a stream broke off',
    tag: 'runs',
    query: z.object({ after: z.coerce.number().int().min(0).default(0) }),
    status: 200,
    media: 'text/event-stream',
    errors: ['not_found', 'invalid_request'],
  },
  cancelRun: {
    method: 'POST',
    path: '/api/agents/runs/:run_id/cancel',
    summary: 'Cancel a run',
    tag: 'runs',
    status: 200,
    response: schemas.runSchema,
    errors: ['not_found', 'run_finished'],
  },
  giveEarlyAnswer: {
    method: 'POST',
    path: '/api/agents/runs/:run_id/answers',
    summary:
      'Answer a question of a run before it is asked; it is put to the first question that it is for. The same one again is fine',
    tag: 'decisions',
    body: schemas.newEarlyAnswerSchema,
    status: 200,
    response: schemas.earlyAnswerSchema,
    errors: [
      'malformed_json',
      'invalid_request',
      'not_found',
      'not_assignee',
      'decision_answered',
      'run_finished',
    ],
  },
  listEarlyAnswers: {
    method: 'GET',
    path: '/api/agents/runs/:run_id/answers',
    summary: 'List the answers of a run that came before their questions, oldest first',
    tag: 'decisions',
    status: 200,
    response: schemas.listOf(schemas.earlyAnswerSchema),
    errors: ['not_found'],
  },
  listDecisions: {
    method: 'GET',
    path: '/api/decisions',
    summary: 'List decisions, oldest first',
    tag: 'decisions',
    query: z.object({
      status: z.enum(['open', 'answered', 'all']).default('open'),
      run_id: z.string().optional(),
      assignee: z.string().max(100).optional().meta({ description: 'id or name of an API key' }),
    }),
    status: 200,
    response: schemas.listOf(schemas.decisionSchema),
    errors: ['invalid_request'],
  },
  getDecision: {
    method: 'GET',
    path: '/api/decisions/:decision_id',
    summary: 'Read a decision with the schema of its answer',
    tag: 'decisions',
    status: 200,
    response: schemas.decisionSchema,
    errors: ['not_found'],
  },
  answerDecision: {
    method: 'POST',
    path: '/api/decisions/:decision_id/answer',
    summary:
      'Answer a decision, as JSON or as multipart with a part per reference: a file, "skip" or "use:NAME". The first answer wins; the same one again is fine. With a quorum it is a vote, which may be changed until so many keys agree',
    tag: 'decisions',
    body: z.record(z.string(), z.unknown()).meta({ id: 'DecisionAnswer' }),
    multipart: 'also',
    status: 200,
    response: schemas.decisionSchema,
    errors: [
      'malformed_json',
      'not_found',
      'not_assignee',
      'invalid_answer',
      'decision_answered',
      'decision_stale',
      'file_too_large',
      'storage_quota_exceeded',
      'empty_upload',
      'invalid_file_name',
      'unsupported_media_type',
    ],
  },
  listTenants: {
    method: 'GET',
    path: '/api/admin/tenants',
    summary: 'List tenants with their limits and what they use, oldest first',
    tag: 'admin',
    admin: true,
    status: 200,
    response: schemas.listOf(tenants.tenantSchema),
    errors: [],
  },
  createTenant: {
    method: 'POST',
    path: '/api/admin/tenants',
    summary: 'Make a tenant and its first API key, which is shown this once',
    tag: 'admin',
    admin: true,
    body: tenants.newTenantSchema,
    status: 201,
    response: tenants.createdTenantSchema,
    errors: ['malformed_json', 'invalid_request'],
  },
  changeTenant: {
    method: 'POST',
    path: '/api/admin/tenants/:tenant_id',
    summary: 'Suspend a tenant, let it in again, or change its limits',
    tag: 'admin',
    admin: true,
    body: tenants.tenantChangeSchema,
    status: 200,
    response: tenants.tenantSchema,
    errors: ['malformed_json', 'invalid_request', 'not_found'],
  },
  deleteTenant: {
    method: 'DELETE',
    path: '/api/admin/tenants/:tenant_id',
    summary: 'Delete a tenant with everything of it; its active runs are cancelled',
    tag: 'admin',
    admin: true,
    status: 204,
    errors: ['not_found'],
  },
  listStuckRuns: {
    method: 'GET',
    path: '/api/admin/runs/stuck',
    summary: 'List active runs that do not get on, with the reason; waiting for a person does not count',
    tag: 'admin',
    admin: true,
    query: operations.stuckRunsQuery,
    status: 200,
    response: schemas.listOf(operations.stuckRunSchema),
    errors: ['invalid_request'],
  },
  listParkedRuns: {
    method: 'GET',
    path: '/api/admin/runs/parked',
    summary: 'Count waiting runs by version of the graph and node',
    tag: 'admin',
    admin: true,
    status: 200,
    response: schemas.listOf(operations.parkedRunsSchema),
    errors: [],
  },
  listDeadLetters: {
    method: 'GET',
    path: '/api/admin/dead-letters',
    summary: 'List jobs that failed for good',
    tag: 'admin',
    admin: true,
    query: operations.deadLettersQuery,
    status: 200,
    response: schemas.listOf(operations.deadLetterSchema),
    errors: ['invalid_request'],
  },
  retryDeadLetter: {
    method: 'POST',
    path: '/api/admin/dead-letters/:queue/:job_id/retry',
    summary: 'Put a failed job back into its queue',
    tag: 'admin',
    admin: true,
    status: 200,
    response: operations.retriedJobSchema,
    errors: ['not_found'],
  },
  listUsage: {
    method: 'GET',
    path: '/api/admin/usage',
    summary: 'Read what each tenant used: runs, model calls, tokens, storage',
    tag: 'admin',
    admin: true,
    query: operations.usageQuery,
    status: 200,
    response: schemas.listOf(operations.tenantUsageSchema),
    errors: ['invalid_request'],
  },
});

export type EndpointName = keyof typeof endpoints;

/** The scope that a caller needs for an endpoint. */
export function scopeOf({ scope, method }: Endpoint): access.Scope | 'any' {
  return scope ?? (method === 'GET' ? 'read' : 'write');
}
