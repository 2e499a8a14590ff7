import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';

/** The eras of MCP that are spoken: without a handshake since 2026-07-28, with one before. */
export const MCP_ERAS = [
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
  { era: '2025-11-25', mode: 'legacy' },
] as const satisfies { era: string; mode: VersionNegotiationMode }[];

/** The official client, connected to `/mcp` of a gateway; the caller closes it. */
export async function connectMcp(
  baseUrl: string,
  bearer: string,
  mode: VersionNegotiationMode,
): Promise<Client> {
  const client = new Client({ name: 'spec', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${bearer}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), { requestInit }));
  return client;
}
