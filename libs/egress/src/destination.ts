import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Gives every address of a host name, in the order in which they are to be tried. */
export type Resolver = (host: string) => Promise<LookupAddress[]>;

/** Where a request may go: the URL, and the addresses that were checked for it. */
export interface Destination {
  url: URL;
  addresses: LookupAddress[];
}

/** Nothing may be sent there; the message is for the tenant and names no address. */
export class RefusedUrlError extends Error {
  override readonly name = 'RefusedUrlError';
}

/** What is no web server is not to be reached by way of this service. */
const DEFAULT_PORTS = [80, 443];

/** The operating system's. */
export const systemResolver: Resolver = (host) => lookup(host, { all: true, verbatim: true });

/** Checks where requests may go (OWASP API7): what a tenant names is never a way into the network of the service. */
export class DestinationGuard {
  /**
   * @param allowPrivate the operator lets requests go to http:// URLs, to private addresses and to any port
   * @param ports that they may go to otherwise
   */
  constructor(
    private readonly allowPrivate: boolean,
    private readonly resolve: Resolver = systemResolver,
    private readonly ports: readonly number[] = DEFAULT_PORTS,
  ) {}

  /**
   * Resolves the host and checks all of its addresses; a request has to go to one of these and to nothing that a later
   * look-up gives (DNS rebinding).
   *
   * @throws RefusedUrlError
   */
  async check(text: string): Promise<Destination> {
    const url = this.parse(text);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const addresses = family === 0 ? await this.resolve(host).catch(() => []) : [{ address: host, family }];
    const isRefused = ({ address }: LookupAddress) => !this.allowPrivate && !isPublicAddress(address);
    // One answer for all: whether a name exists in the operator's network is not the tenant's business.
    if (addresses.length === 0 || addresses.some(isRefused))
      throw new RefusedUrlError('The host has to have addresses, and public ones only.');
    return { url, addresses };
  }

  private parse(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url) throw new RefusedUrlError('That is no URL.');
    const isAllowed = url.protocol === 'https:' || (this.allowPrivate && url.protocol === 'http:');
    if (!isAllowed) throw new RefusedUrlError('The URL has to begin with https://.');
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    if (!this.allowPrivate && !this.ports.includes(port))
      throw new RefusedUrlError(`The port has to be one of ${this.ports.join(', ')}.`);
    if (url.username !== '' || url.password !== '')
      throw new RefusedUrlError('The URL may not hold credentials.');
    url.hash = '';
    return url;
  }
}
