import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { englishText, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import ipaddr from 'ipaddr.js';

/** Resolves a host name to all its addresses, in the order in which a connection tries them. */
export type Resolver = (host: string) => Promise<LookupAddress[]>;

/** Allowed target of a request: the URL and the checked addresses of its host. */
export interface Destination {
  url: URL;
  addresses: LookupAddress[];
}

/** Refusal of a URL. The message is meant for the tenant and names no address. */
export class RefusedUrlError extends Error {
  override readonly name = 'RefusedUrlError';

  constructor(readonly phrase: Phrase) {
    super(englishText(phrase));
  }
}

/** Other ports most likely belong to services that are not web servers. */
const DEFAULT_PORTS = [80, 443];

/** Resolves names with the operating system. */
export const systemResolver: Resolver = (host) => lookup(host, { all: true, verbatim: true });

/**
 * Checks where requests may go (OWASP API7), so that a tenant's URL cannot reach the network of the service.
 */
export class DestinationGuard {
  /**
   * @param allowPrivate true if the operator allows http:// URLs, private addresses and all ports
   * @param ports ports that are allowed otherwise
   */
  constructor(
    private readonly allowPrivate: boolean,
    private readonly resolve: Resolver = systemResolver,
    private readonly ports: readonly number[] = DEFAULT_PORTS,
  ) {}

  /**
   * Resolves the host and checks all of its addresses. A request may only connect to the returned addresses:
   * a later
   * look-up could return others (DNS rebinding).
   *
   * @throws RefusedUrlError
   */
  async check(text: string): Promise<Destination> {
    const url = this.parse(text);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const addresses = family === 0 ? await this.resolve(host).catch(() => []) : [{ address: host, family }];
    const isRefused = ({ address }: LookupAddress) => !this.allowPrivate && !isPublicAddress(address);
    // The same message in both cases: a tenant must not learn which names exist in the operator's network.
    if (addresses.length === 0 || addresses.some(isRefused))
      throw new RefusedUrlError(phrase('url_refused.not_public'));
    return { url, addresses };
  }

  private parse(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url) throw new RefusedUrlError(phrase('url_refused.invalid'));
    const isAllowed = url.protocol === 'https:' || (this.allowPrivate && url.protocol === 'http:');
    if (!isAllowed) throw new RefusedUrlError(phrase('url_refused.not_https'));
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    if (!this.allowPrivate && !this.ports.includes(port))
      throw new RefusedUrlError(phrase('url_refused.port', { ports: this.ports.join(', ') }));
    if (url.username !== '' || url.password !== '')
      throw new RefusedUrlError(phrase('url_refused.credentials'));
    url.hash = '';
    return url;
  }
}

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
