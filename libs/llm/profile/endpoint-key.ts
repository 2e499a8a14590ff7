import { createHash } from 'node:crypto';

/** Base URL of an endpoint without one. */
export const OPENAI = 'https://api.openai.com/v1';

/**
 * Returns the key of an endpoint, which does not show its address. Tenants share nothing that is known about a
 * server, even if they use the same one.
 *
 * @param owner tenant whose endpoint it is; undefined for the installation's
 */
export const endpointKey = (baseUrl: string, owner: string | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([owner ?? null, baseUrl]))
    .digest('hex');
