import { z } from 'zod';

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters of a name, an address or a port; everything else belongs to another part of a URL, or is a pattern. */
const HOST_AND_PORT = /^(?:\[[0-9a-f:.]{2,45}\]|[\p{L}\p{M}\p{N}.-]{1,253})(?::\d{1,5})?$/iu;

/**
 * Returns a host as URLs contain it: in lower case, in punycode, numbers as an IP address, and without port 443.
 *
 * @returns null for anything but one host, such as a pattern, a URL or a name with empty parts
 */
export function hostOf(text: string): string | null {
  const address = `https://${text}/`;
  if (!HOST_AND_PORT.test(text) || !URL.canParse(address)) return null;
  const { host, hostname } = new URL(address);
  const isName = hostname.length <= 253 && hostname.split('.').every((label) => LABEL.test(label));
  return isName || hostname.startsWith('[') ? host : null;
}

/** A host with its port, unless the scheme implies the port. */
export const hostSchema = z
  .string()
  .min(1)
  .max(259)
  .refine((text) => hostOf(text) !== null, { message: 'is not a host, such as api.example.com' });

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
