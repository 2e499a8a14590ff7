/**
 * The client of the tools workers, as the MCP conformance suite drives it: it connects to the server that the suite starts, lists the
 * tools and calls them. Usage: node test/mcp/conformance-client.js URL
 */
import { DestinationGuard } from '#egress/destination.js';
import { guardedFetch } from '#egress/guarded-fetch.js';
import { connectServer } from '../../dist/apps/tools/src/mcp/server-connection.js';

const TIMEOUT_MS = 10_000;
const url = process.argv.at(-1);
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');

/** Arguments that fit a schema of simple types. */
function argumentsFor(schema) {
  const samples = { number: 2, integer: 2, boolean: true, string: 'tea' };
  const properties = schema['properties'] ?? {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [name, samples[type ?? 'string'] ?? null]),
  );
}

const server = {
  url,
  command: null,
  oauth:
    context.client_id === undefined ? null : { issuer: new URL(url).origin, client_id: context.client_id },
  secrets: { headers: {}, client_secret: context.client_secret },
};
const reach = {
  fetch: guardedFetch(new DestinationGuard(true), { maxBytes: 1024 * 1024, timeoutMs: TIMEOUT_MS }),
  commands: {},
  maxMessageBytes: 1024 * 1024,
};
const client = await connectServer(server, reach, AbortSignal.timeout(2 * TIMEOUT_MS), TIMEOUT_MS);
const { tools } = await client.listTools();
for (const { name, inputSchema } of tools)
  await client.callTool({ name, arguments: argumentsFor(inputSchema) }).catch(() => undefined);
await client.close();
