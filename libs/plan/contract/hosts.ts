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
