import { z } from 'zod';
import { nameSchema } from '../names.js';
import { budgetAmountSchema } from '../budgets.js';
import { createdApiKeySchema } from './access-schemas.js';

const amount = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Limits of a tenant. Null means the gateway's setting or, for tokens and cost, no limit. */
export const tenantLimitsSchema = z
  .object({
    max_active_runs: z.number().int().min(1).max(10_000),
    weight: z
      .number()
      .int()
      .min(1)
      .max(100)
      .meta({ description: 'share of busy runners, relative to other tenants' }),
    requests_per_minute: z
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .nullable()
      .meta({ description: 'per API key' }),
    max_storage_bytes: amount.nullable(),
    max_monthly_tokens: budgetAmountSchema.nullable(),
    max_monthly_cost: budgetAmountSchema.nullable().meta({ description: 'millionths of the currency' }),
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
    storage_bytes: z.number().int().meta({ description: 'uploads and exports' }),
    monthly_tokens: z.number().int().meta({ description: 'used this month (UTC), input and output' }),
    monthly_cost: z
      .number()
      .int()
      .meta({ description: 'used this month (UTC), in millionths of the currency' }),
  })
  .meta({ id: 'Tenant' });

export const createdTenantSchema = tenantSchema
  .extend({ first_key: createdApiKeySchema })
  .meta({ id: 'CreatedTenant' });
