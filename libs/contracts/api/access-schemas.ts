import { z } from 'zod';
import { nameSchema } from '../names.js';
import { budgetAmountSchema } from '../budgets.js';

/**
 * Permissions of a key: `read` (GET), `write` (everything else), `admin` (keys, webhooks and the audit log).
 * None implies another.
 */
export const scopes = ['read', 'write', 'admin'] as const;
export const scopeSchema = z.enum(scopes);
export type Scope = z.infer<typeof scopeSchema>;

/** Interface that accepts an access token: either the API or MCP (`/mcp`). */
export const tokenAudiences = ['api', 'mcp'] as const;
export type TokenAudience = (typeof tokenAudiences)[number];

/** Maximum lifetime of an access token, in seconds. */
export const MAX_TOKEN_SECONDS = 3_600;
/** Maximum time that a key stays valid after its rotation, in seconds. */
const MAX_GRACE_SECONDS = 7 * 24 * 3_600;

const timestamp = z.iso.datetime();
const scopeList = z.array(scopeSchema).min(1).max(scopes.length);

export const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('start of the key; the rest is stored only as a hash'),
    scopes: z.array(scopeSchema),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable().describe('rounded to the minute'),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });

export const newApiKeySchema = z
  .object({
    name: nameSchema(100),
    scopes: scopeList.default(['read', 'write']),
    expires_at: timestamp.optional().describe('must be in the future; by default, the key does not expire'),
  })
  .strict()
  .meta({ id: 'NewApiKey' });

export const createdApiKeySchema = apiKeySchema
  .extend({ key: z.string().describe('the key; shown only once') })
  .meta({ id: 'CreatedApiKey' });

export const rotationSchema = z
  .object({
    grace_seconds: z
      .number()
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(0)
      .describe('how long the old key stays valid next to the new one'),
  })
  .strict()
  .meta({ id: 'KeyRotation' });

export const tokenRequestSchema = z
  .object({
    scopes: scopeList.default(['read']).describe('a subset of the scopes of the key'),
    expires_in: z.number().int().min(1).max(MAX_TOKEN_SECONDS).default(900).describe('seconds'),
    audience: z
      .enum(tokenAudiences)
      .default('api')
      .describe('where the token is valid: at the API, or only at /mcp'),
  })
  .strict()
  .meta({ id: 'TokenRequest' });

export const tokenSchema = z
  .object({
    access_token: z.string().describe('used instead of a key: Authorization: Bearer sct_…'),
    token_type: z.literal('Bearer'),
    expires_in: z.number().int(),
    scopes: z.array(scopeSchema),
  })
  .meta({ id: 'Token' });

export const auditEntrySchema = z
  .object({
    id: z.string(),
    at: timestamp,
    actor: z.string().describe('ID of an API key, "operator", or "deadline" for a default answer'),
    actor_name: z.string().nullable().describe('name of the API key, if it still exists'),
    by_token: z.boolean().describe('true if the caller used a token issued by the key'),
    action: z.string().describe('an operation of this API, or "decisionAnswered": an answer took effect'),
    resource: z.string().describe('IDs joined with "/"'),
    resource_name: z
      .string()
      .nullable()
      .describe(
        'name or title of the first resource, if it has one and still exists; of a session also the title of its last run, or a file',
      ),
    outcome: z.enum(['done', 'denied']),
    request_id: z.string().nullable(),
    details: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('for an answered decision: "answer" and its "sha256"'),
  })
  .meta({ id: 'AuditEntry' });

export const webSessionSchema = z
  .object({
    tenant_id: z.string(),
    tenant_name: z.string(),
    api_key_id: z.string(),
    api_key_name: z.string(),
    scopes: z.array(scopeSchema),
    expires_at: z.iso.datetime().nullable().describe('null for a request with an API key'),
    can_fetch_pages: z
      .boolean()
      .describe('whether articles and chapters can be written from pages named by address'),
  })
  .meta({ id: 'WebSession', description: 'The caller and its permissions.' });

export const signInLinkSchema = z
  .object({
    path: z.string().describe('path to open in a browser, relative to the URL of the service'),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'SignInLink', description: 'Signs in one browser, once.' });

const amount = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Limits of a tenant. Null means the gateway's setting or, for tokens and cost, no limit. */
export const tenantLimitsSchema = z
  .object({
    max_active_runs: z.number().int().min(1).max(10_000),
    weight: z.number().int().min(1).max(100).describe('share of busy runners, relative to other tenants'),
    requests_per_minute: z.number().int().min(1).max(1_000_000).nullable().describe('per API key'),
    max_storage_bytes: amount.nullable(),
    max_monthly_tokens: budgetAmountSchema.nullable(),
    max_monthly_cost: budgetAmountSchema.nullable().describe('millionths of the currency'),
  })
  .partial()
  .strict();

export const newTenantSchema = tenantLimitsSchema
  .extend({ name: nameSchema(200) })
  .strict()
  .meta({ id: 'NewTenant' });

export const tenantChangeSchema = tenantLimitsSchema
  .extend({ suspended: z.boolean().optional() })
  .strict()
  .meta({ id: 'TenantChange' });

export const tenantSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    suspended: z.boolean(),
    created_at: z.iso.datetime(),
    max_active_runs: z.number().int(),
    weight: z.number().int(),
    requests_per_minute: z.number().int(),
    max_storage_bytes: z.number().int(),
    max_monthly_tokens: z.number().int().nullable(),
    max_monthly_cost: z.number().int().nullable(),
    storage_bytes: z.number().int().describe('uploads and exports'),
    monthly_tokens: z.number().int().describe('used this month (UTC), input and output'),
    monthly_cost: z.number().int().describe('used this month (UTC), in millionths of the currency'),
  })
  .meta({ id: 'Tenant' });

export const createdTenantSchema = tenantSchema
  .extend({ first_key: createdApiKeySchema })
  .meta({ id: 'CreatedTenant' });
