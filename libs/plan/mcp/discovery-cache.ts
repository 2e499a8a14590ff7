import type { McpServer } from '../store/mcp-servers.js';
import type { Client, PriorDiscovery } from '@modelcontextprotocol/client';

const KEPT_MS = 60_000;
const MOST_KEPT = 500;

type Registration = Pick<McpServer, 'id' | 'url' | 'secrets'>;

/**
 * Cache of servers' recent discovery results, so that not every call has to request them. Tools and their
 * hashes are never read from it.
 */
export class DiscoveryCache {
  private readonly kept = new Map<string, { prior: PriorDiscovery; of: Registration; until: number }>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Returns the cached result for the same URL and credentials; undefined if the server must be asked. */
  of({ id, url, secrets }: Registration): PriorDiscovery | undefined {
    const known = this.kept.get(id);
    const isKnown = known?.of.url === url && known.of.secrets === secrets && known.until > this.now();
    return isKnown ? known.prior : undefined;
  }

  /** Caches the result of a successful use. Older protocol versions lack one, so each use needs a handshake. */
  remember({ id, url, secrets }: Registration, client: Pick<Client, 'getDiscoverResult'>): void {
    const discover = client.getDiscoverResult();
    if (!discover || this.of({ id, url, secrets })) return;
    this.kept.delete(id);
    if (this.kept.size >= MOST_KEPT) this.kept.delete(this.kept.keys().next().value!);
    const until = this.now() + KEPT_MS;
    this.kept.set(id, { prior: { kind: 'modern', discover }, of: { id, url, secrets }, until });
  }

  /** Drops the result after a failed use: the server may have changed. */
  forget({ id }: Pick<Registration, 'id'>): void {
    this.kept.delete(id);
  }
}
