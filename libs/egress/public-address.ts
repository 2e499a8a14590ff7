import ipaddr from 'ipaddr.js';

/** Addresses in public ranges that are internal within a cloud: Azure's metadata and wire server. */
const INTERNAL = new Set(['168.63.129.16']);
/**
 * Global unicast range of IPv6. All other addresses (mapped and compatible IPv4, NAT64, local) are refused.
 */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Returns whether an address is publicly routable. All others are refused: private, loopback, link-local
 * (cloud metadata), shared (CGNAT), multicast and reserved ranges, and every form of IPv6 that contains an
 * IPv4 address.
 *
 * @param address as a resolver returns it
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || INTERNAL.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}
