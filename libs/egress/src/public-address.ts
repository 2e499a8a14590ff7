import ipaddr from 'ipaddr.js';

/** Public by their range, but answered inside of a cloud: Azure's metadata and wire server. */
const INTERNAL = new Set(['168.63.129.16']);
/** All global unicast of IPv6; what lies outside (mapped and compatible IPv4, NAT64, local) is refused as a whole. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address is one that anybody on the internet can have. What is not known to be so is refused: private, loopback,
 * link-local (cloud metadata), shared (CGNAT), multicast and reserved ranges, and every form of IPv6 that carries an IPv4 address.
 *
 * @param address as a resolver gives it
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || INTERNAL.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}
