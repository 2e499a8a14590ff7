import { MAX_MCP_TOOLS } from '#contracts/api/mcp-schemas.js';
import type { SeenTool } from '#db/repositories/mcp-servers.js';
import { LOGGER } from '#runtime/infrastructure.module.js';
import type { Logger } from '#telemetry/logger.js';
import { hashOf, serverToolSchema } from '#tools/mcp/server-tool.js';
import type { Client, Tool } from '@modelcontextprotocol/client';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { McpServers } from './mcp-servers.service.js';
import { failureOf } from './server-connection.js';

const PAUSE_MS = 1_000;
const BATCH = 4;
const LOOK_MS = 30_000;

/** Looks at the tools of tenants' MCP servers: after they were registered, when somebody asks for it, and every hour. */
@Injectable()
export class McpDiscovery implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stopped = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();

  constructor(
    private readonly servers: McpServers,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    clearTimeout(this.timer);
    await this.round;
  }

  private schedule(): void {
    if (this.stopped.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.round = this.lookAtDue()
        .catch((error: unknown) => this.log.warn({ err: error }, 'MCP servers could not be looked at'))
        .finally(() => this.schedule());
    }, PAUSE_MS);
  }

  private async lookAtDue(): Promise<void> {
    const due = await this.servers.rows.takeDue(BATCH);
    await Promise.all(due.map(({ tenantId, id }) => this.look(tenantId, id)));
  }

  private async look(tenantId: string, id: string): Promise<void> {
    const server = await this.servers.rows.find(tenantId, id);
    if (!server) return;
    const signal = AbortSignal.any([this.stopped.signal, AbortSignal.timeout(LOOK_MS)]);
    try {
      const { protocol, tools } = await this.servers.use(
        server,
        signal,
        LOOK_MS,
        async (client, options) => ({
          protocol: client.getNegotiatedProtocolVersion() ?? 'unknown',
          tools: await toolsOf(client, options),
        }),
      );
      await this.servers.rows.discovered(tenantId, id, protocol, tools);
    } catch (error) {
      // A worker that stops leaves the look to another one.
      if (this.stopped.signal.aborted) return;
      const { code } = failureOf(error);
      this.log.debug({ server_id: id, code }, 'the tools of an MCP server could not be had');
      await this.servers.rows.failed(tenantId, id, code);
    }
  }
}

type Options = Parameters<Client['listTools']>[1];

/** Every page of the list, up to the limit; what is no usable description is left out. */
async function toolsOf(client: Client, options: Options): Promise<SeenTool[]> {
  const found: Tool[] = [];
  const { tools, nextCursor } = await client.listTools({}, options);
  found.push(...tools);
  for (let cursor = nextCursor; cursor !== undefined && found.length < MAX_MCP_TOOLS;) {
    const page = await client.listTools({ cursor }, options);
    found.push(...page.tools);
    cursor = page.nextCursor === cursor ? undefined : page.nextCursor;
  }
  return found.slice(0, MAX_MCP_TOOLS).flatMap(({ name, description, inputSchema, outputSchema }) => {
    const tool = serverToolSchema.safeParse({
      name,
      description,
      input: inputSchema,
      output: outputSchema ?? null,
    });
    return tool.success ? [{ name, description: tool.data, hash: hashOf(tool.data) }] : [];
  });
}
