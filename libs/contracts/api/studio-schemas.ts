import { z } from 'zod';
import { scopeSchema } from './access-schemas.js';

export const webSessionSchema = z
  .object({
    tenant_id: z.string(),
    tenant_name: z.string(),
    api_key_id: z.string(),
    api_key_name: z.string(),
    scopes: z.array(scopeSchema),
    expires_at: z.iso.datetime().nullable().meta({ description: 'null for a request with an API key' }),
  })
  .meta({ id: 'WebSession', description: 'Who calls, and what they may do.' });

export const signInLinkSchema = z
  .object({
    path: z.string().meta({ description: 'to be opened in a browser, behind the address of the service' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'SignInLink', description: 'Signs a browser in once.' });
