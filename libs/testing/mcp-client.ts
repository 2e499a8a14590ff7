import {
  Client,
  StreamableHTTPClientTransport,
  type ElicitRequest,
  type ElicitResult,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';

/** Supported eras of MCP: without a handshake since 2026-07-28, with a handshake before. */
export const MCP_ERAS = [
  { era: '2026-07-28', mode: { pin: '2026-07-28' } },
  { era: '2025-11-25', mode: 'legacy' },
] as const satisfies { era: string; mode: VersionNegotiationMode }[];

/**
 * Connects the official client to the gateway's `/mcp`; the caller closes the client.
 *
 * @param person answers the server's questions; without it, the client cannot ask anybody
 */
export async function connectMcp(
  baseUrl: string,
  bearer: string,
  mode: VersionNegotiationMode,
  person?: (request: ElicitRequest) => ElicitResult,
): Promise<Client> {
  const capabilities = person ? { elicitation: { form: {} } } : {};
  const client = new Client({ name: 'spec', version: '1' }, { versionNegotiation: { mode }, capabilities });
  if (person) client.setRequestHandler('elicitation/create', person);
  const requestInit = { headers: { authorization: `Bearer ${bearer}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), { requestInit }));
  return client;
}
