/**
 * The client of the tools workers, as the MCP conformance suite drives it: it connects to the server that the suite starts, lists the
 * tools and calls them. Usage: node test/mcp/conformance-client.js URL
 */
import { DestinationGuard } from '#egress/destination.js';
import { guardedFetch } from '#egress/guarded-fetch.js';
import { connectServer } from '../../dist/libs/plan/mcp/server-connection.js';

const TIMEOUT_MS = 60_000;
/** Time limit of a call: some servers of the suite never answer. */
const CALL_TIMEOUT_MS = 20_000;
const url = process.argv.at(-1);
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');

/**
 * Returns arguments that match a schema of simple types; for an object, the schema of the first tool, as the suite
 * expects.
 */
function argumentsFor({ properties = {} }, first) {
  const samples = { number: 2, integer: 2, boolean: true, string: 'tea', object: first.inputSchema };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [name, samples[type ?? 'string'] ?? null]),
  );
}

/** Returns the calls that the suite requires, otherwise one call of every tool. */
const callsOf = (tools) =>
  context.toolCalls ??
  tools.map(({ name, inputSchema }) => ({ name, arguments: argumentsFor(inputSchema, tools[0]) }));

/** Returns the issuer as a tenant would register it: the one that the server names. */
async function issuerOf() {
  const answer = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', url));
  return answer.ok ? (await answer.json()).authorization_servers[0] : new URL(url).origin;
}

const server = {
  url,
  command: null,
  oauth:
    context.client_id === undefined
      ? null
      : { issuer: context.issuer ?? (await issuerOf()), client_id: context.client_id },
  secrets: { headers: {}, client_secret: context.client_secret },
};
const reach = {
  fetch: guardedFetch(new DestinationGuard(true), { maxBytes: 1024 * 1024, timeoutMs: TIMEOUT_MS }),
  commands: {},
  maxMessageBytes: 1024 * 1024,
};
const client = await connectServer(server, reach, AbortSignal.timeout(2 * TIMEOUT_MS), TIMEOUT_MS);
const { tools } = await client.listTools();
for (const call of callsOf(tools))
  await client.callTool(call, { timeout: CALL_TIMEOUT_MS }).catch(() => undefined);
await client.close();
