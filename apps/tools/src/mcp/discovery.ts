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
/** Discoveries that one worker has under way, and how many of them may be one tenant's: slow servers leave places to others. */
const PLACES = 12;
const PLACES_PER_TENANT = 3;
const LOOK_MS = 30_000;
const LOOK_FAILED = 'failed to look at MCP servers';

/** Looks at the tools of tenants' MCP servers: after they were registered, when somebody asks for it, and every hour. */
@Injectable()
export class McpDiscovery implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stopped = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private readonly looks = new Map<Promise<void>, string>();

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
    await Promise.all(this.looks.keys());
  }

  private schedule(): void {
    if (this.stopped.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.round = this.startDue()
        .catch((error: unknown) => this.log.warn({ err: error }, LOOK_FAILED))
        .finally(() => this.schedule());
    }, PAUSE_MS);
  }

  /** Starts the discovery of servers that are due, as far as there are places; does not wait for the answers. */
  async startDue(): Promise<void> {
    const total = PLACES - this.looks.size;
    if (total === 0) return;
    const active = new Map<string, number>();
    for (const tenantId of this.looks.values()) active.set(tenantId, (active.get(tenantId) ?? 0) + 1);
    const due = await this.servers.rows.takeDue({ total, perTenant: PLACES_PER_TENANT }, active);
    for (const { tenantId, id } of due) {
      const look = this.look(tenantId, id)
        .catch((error: unknown) => this.log.warn({ err: error, server_id: id }, LOOK_FAILED))
        .finally(() => this.looks.delete(look));
      this.looks.set(look, tenantId);
    }
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
  return found
    .slice(0, MAX_MCP_TOOLS)
    .flatMap(({ name, description, inputSchema, outputSchema, annotations }) => {
      const tool = serverToolSchema.safeParse({
        name,
        description,
        input: inputSchema,
        output: outputSchema ?? null,
      });
      const isIdempotent = annotations?.idempotentHint === true || annotations?.readOnlyHint === true;
      return tool.success ? [{ name, description: tool.data, hash: hashOf(tool.data), isIdempotent }] : [];
    });
}
