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
    can_fetch_pages: z
      .boolean()
      .meta({ description: 'whether articles and chapters can be written from pages named by address' }),
  })
  .meta({ id: 'WebSession', description: 'The caller and its permissions.' });

export const signInLinkSchema = z
  .object({
    path: z.string().meta({ description: 'path to open in a browser, relative to the URL of the service' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'SignInLink', description: 'Signs in one browser, once.' });
