import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { isPublicAddress } from '#egress/destination.js';
import { isIP } from 'node:net';
import { hostOf } from '../contract/hosts.js';

/**
 * Returns the hosts as URLs contain them, each once.
 *
 * @throws ProblemError `invalid_request` for a private address or a local name, unless the operator allows them
 */
export function checkedHosts(hosts: readonly string[], allowPrivate: boolean): string[] {
  const named = hosts.map((host) => hostOf(host)!);
  const errors = named.flatMap((host, index) =>
    allowPrivate || isPublicHost(host) ? [] : [{ path: `hosts.${index}`, message: 'is not a public host' }],
  );
  if (errors.length > 0) throw new ProblemError('invalid_request', phrase('invalid_request.body'), errors);
  return [...new Set(named)];
}

function isPublicHost(host: string): boolean {
  const { hostname } = new URL(`https://${host}/`);
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) return isPublicAddress(address);
  return hostname.includes('.') && !hostname.endsWith('.localhost');
}
