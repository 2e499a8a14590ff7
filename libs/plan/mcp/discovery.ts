import { timeLimit } from '#contracts/wait.js';
import type { NotificationListener } from '#engine/events/listener.js';
import { LISTENER, LOGGER } from '#kit/runtime/infrastructure.module.js';
import type { Logger } from '#telemetry/logger.js';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { MCP_SERVERS_CHANNEL } from '../store/mcp-servers.js';
import { McpServers } from './mcp-servers.service.js';

/** Interval in ms of polling for servers that are due without a notification. */
const POLL_INTERVAL_MS = 5_000;
/**
 * Maximum number of concurrent discoveries per worker, in total and per tenant, so that slow servers do not
 * block others.
 */
const PLACES = 12;
const PLACES_PER_TENANT = 3;
const DISCOVERY_TIMEOUT_MS = 30_000;
const LOOK_FAILED = 'failed to discover the tools of MCP servers';

/** Discovers the tools of tenants' MCP servers: after registration, on request and every hour. */
@Injectable()
export class McpDiscovery implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stopped = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private stopWaking = () => undefined as void;
  private round: Promise<void> = Promise.resolve();
  private readonly looks = new Map<Promise<void>, string>();

  constructor(
    private readonly servers: McpServers,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(LISTENER) private readonly listener: NotificationListener,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.listener.listen(MCP_SERVERS_CHANNEL);
    this.stopWaking = this.listener.on(MCP_SERVERS_CHANNEL, () => this.startRound());
    this.schedule();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    this.stopWaking();
    clearTimeout(this.timer);
    await this.round;
    await Promise.all(this.looks.keys());
  }

  private schedule(): void {
    if (this.stopped.signal.aborted) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.startRound(), POLL_INTERVAL_MS);
  }

  /** Starts the discovery of due servers after the current round, and schedules the next round. */
  private startRound(): void {
    if (this.stopped.signal.aborted) return;
    this.round = this.round
      .then(() => this.startDue())
      .catch((error: unknown) => this.log.warn({ err: error }, LOOK_FAILED))
      .finally(() => this.schedule());
  }

  /** Starts the discovery of due servers up to the limits; does not wait for the results. */
  async startDue(): Promise<void> {
    const total = PLACES - this.looks.size;
    if (total === 0) return;
    const active = new Map<string, number>();
    for (const tenantId of this.looks.values()) active.set(tenantId, (active.get(tenantId) ?? 0) + 1);
    const due = await this.servers.rows.takeDue({ total, perTenant: PLACES_PER_TENANT }, active);
    for (const { tenantId, id } of due) {
      const look = this.look(tenantId, id)
        .catch((error: unknown) => this.log.warn({ err: error, server_id: id }, LOOK_FAILED))
        .finally(() => {
          this.looks.delete(look);
          // Another server may have waited for the place.
          this.startRound();
        });
      this.looks.set(look, tenantId);
    }
  }

  private async look(tenantId: string, id: string): Promise<void> {
    const server = await this.servers.rows.find(tenantId, id);
    if (!server) return;
    const signal = timeLimit(DISCOVERY_TIMEOUT_MS, this.stopped.signal);
    const { toolsOf } = await import('./server-tools.js');
    try {
      const offer = await this.servers.use(server, signal, DISCOVERY_TIMEOUT_MS, async (client, options) => ({
        protocol: client.getNegotiatedProtocolVersion() ?? 'unknown',
        ...(await toolsOf(client, options)),
      }));
      await this.servers.rows.discovered(tenantId, id, offer);
    } catch (error) {
      // When this worker stops, another one takes over.
      if (this.stopped.signal.aborted) return;
      const { failureOf } = await import('./server-connection.js');
      const { code } = failureOf(error);
      this.log.debug({ server_id: id, code }, 'failed to list the tools of an MCP server');
      await this.servers.rows.failed(tenantId, id, code);
    }
  }
}
