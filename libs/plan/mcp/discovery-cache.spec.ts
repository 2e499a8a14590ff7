import { DiscoveryCache } from './mcp-servers.service.js';

type Client = Parameters<DiscoveryCache['remember']>[1];
type Discovered = NonNullable<ReturnType<Client['getDiscoverResult']>>;

const discovered = { supportedVersions: ['2026-07-28'] } as Partial<Discovered> as Discovered;
const modern: Client = { getDiscoverResult: () => discovered };
const legacy: Client = { getDiscoverResult: () => undefined };
const server = { id: 'mcp_1', url: 'https://mcp.example/mcp', secrets: 'sealed' };

describe('the cached description of an MCP server', () => {
  it('is reused for the same address and credentials, until a call fails', () => {
    const eras = new DiscoveryCache();
    expect(eras.of(server)).toBeUndefined();
    eras.remember(server, modern);
    expect(eras.of(server)).toEqual({ kind: 'modern', discover: discovered });
    expect(eras.of({ ...server, secrets: 'others' })).toBeUndefined();
    expect(eras.of({ ...server, url: 'https://elsewhere.example/mcp' })).toBeUndefined();
    eras.forget(server);
    expect(eras.of(server)).toBeUndefined();
  });

  it('is requested again after a minute, and each time from a server of the older protocol', () => {
    let now = 1_000;
    const eras = new DiscoveryCache(() => now);
    eras.remember(server, legacy);
    expect(eras.of(server)).toBeUndefined();
    eras.remember(server, modern);
    now = 60_000;
    expect(eras.of(server)).toBeDefined();
    now = 61_000;
    expect(eras.of(server)).toBeUndefined();
  });
});
