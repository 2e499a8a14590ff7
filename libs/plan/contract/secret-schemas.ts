import { z } from 'zod';
import { hostSchema } from './hosts.js';

/** Maximum number of secrets per tenant. */
export const MAX_SECRETS = 50;

/** Name of a secret, as in the header `Bearer {{name}}` of an HTTP request. */
export const secretName = z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/);
const hosts = z.array(hostSchema).min(1).max(10).meta({
  description:
    'hosts to which requests may send it, with the port unless it is the default port of the scheme; no patterns, and no private addresses unless the operator allows them',
});
/** Shorter values could not be removed from responses without damaging them. */
const value = z
  .string()
  .regex(/^[\x21-\x7e]{8,4000}$/)
  .meta({ description: 'stored encrypted and never returned' });

export const newSecretSchema = z
  .object({
    name: secretName.meta({ description: 'plans use it as `{{name}}` in a header of `http_request`' }),
    value,
    hosts,
  })
  .strict()
  .meta({ id: 'NewSecret' });
export type NewSecret = z.infer<typeof newSecretSchema>;

export const secretChangeSchema = z
  .object({
    value: value
      .optional()
      .meta({ description: 'new value; required with `hosts` that the secret does not have yet' }),
    hosts: hosts.optional(),
  })
  .strict()
  .meta({ id: 'SecretChange' });
export type SecretChange = z.infer<typeof secretChangeSchema>;

/** Maximum number of hosts that a tenant may list for plans. */
const MAX_PLAN_HOSTS = 100;

export const planHostsSchema = z
  .object({
    hosts: z.array(hostSchema).max(MAX_PLAN_HOSTS).meta({
      description:
        'hosts that steps made by a model may read without approval, if the address is written out; the hosts of secrets are allowed without being listed',
    }),
  })
  .strict()
  .meta({ id: 'PlanHosts' });

export const secretSchema = z
  .object({ id: z.string(), name: z.string(), hosts: z.array(z.string()), created_at: z.iso.datetime() })
  .meta({ id: 'Secret' });
