import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * Returns a new signing secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64.
 */
export const newSigningSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/**
 * Returns the headers of a signed request (https://www.standardwebhooks.com, version 1).
 *
 * @param secrets each adds a signature; receivers accept the request if one is right
 * @param id of the message: the same in every attempt
 * @param seconds since 1970, of this attempt
 */
export function signatureHeaders(secrets: string[], id: string, seconds: number, body: string) {
  const content = `${id}.${seconds}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => sign(secret, content)).join(' '),
  };
}
