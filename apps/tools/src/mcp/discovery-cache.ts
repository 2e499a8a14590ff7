import type { McpServer } from '#db/repositories/mcp-servers.js';
import type { Client, PriorDiscovery } from '@modelcontextprotocol/client';

const KEPT_MS = 60_000;
const MOST_KEPT = 500;

type Registration = Pick<McpServer, 'id' | 'url' | 'secrets'>;

/** What servers said of themselves a moment ago, so that not every call asks them first. Tools and their hashes never come from it. */
export class DiscoveryCache {
  private readonly kept = new Map<string, { prior: PriorDiscovery; of: Registration; until: number }>();

  constructor(private readonly now: () => number = Date.now) {}

  /** What a server said under the same address and credentials; undefined when it is to be asked. */
  of({ id, url, secrets }: Registration): PriorDiscovery | undefined {
    const known = this.kept.get(id);
    const isKnown = known?.of.url === url && known.of.secrets === secrets && known.until > this.now();
    return isKnown ? known.prior : undefined;
  }

  /** After a use that went well. A server of the era before says nothing that could be kept: it is greeted each time. */
  remember({ id, url, secrets }: Registration, client: Pick<Client, 'getDiscoverResult'>): void {
    const discover = client.getDiscoverResult();
    if (!discover || this.of({ id, url, secrets })) return;
    this.kept.delete(id);
    if (this.kept.size >= MOST_KEPT) this.kept.delete(this.kept.keys().next().value!);
    const until = this.now() + KEPT_MS;
    this.kept.set(id, { prior: { kind: 'modern', discover }, of: { id, url, secrets }, until });
  }

  /** After a use that failed: the server may have changed. */
  forget({ id }: Pick<Registration, 'id'>): void {
    this.kept.delete(id);
  }
}
