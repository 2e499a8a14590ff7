import { z } from 'zod';
import { scopeSchema } from './access-schemas.js';

export const signInSchema = z
  .object({
    api_key: z.string().min(1).max(200).optional(),
    link: z.string().min(1).max(200).optional().meta({ description: 'the secret of a sign-in link' }),
  })
  .strict()
  .refine(({ api_key, link }) => (api_key === undefined) !== (link === undefined), {
    message: 'either an API key or the secret of a link',
  })
  .meta({ id: 'SignIn' });

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
