import { ExportRepository } from '#db/repositories/exports.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { CollectionRepository } from '#knowledge/store/collections.js';
import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import { McpDiscovery } from '../mcp/discovery.js';
import { McpServers } from '../mcp/mcp-servers.service.js';
import { McpServerRepository } from '../store/mcp-servers.js';
import { SecretRepository } from '../store/secrets.js';
import { ToolGraphRepository } from '../store/tool-graph.js';
import { ComputePool } from './compute-pool.js';
import { RunToolHandler } from './run-tool.handler.js';
import { SessionToolPorts } from './session-tool-ports.js';
import type { Engine } from '#engine/engine.js';
import { appendEvent } from '#engine/runs/event-log.js';
import { ENGINE } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

const PAUSE_MS = 5_000;
const BATCH = 20;

/**
 * P9: learns from successful plans, off their critical path. Retries failed lessons and counts none twice.
 */
@Injectable()
class Lessons implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    private readonly graph: ToolGraphRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  /** Processes the due lessons once. */
  async learnDue(): Promise<void> {
    for (const { runId } of await this.graph.dueLessons(BATCH)) await this.learn(runId);
  }

  private async learn(runId: string): Promise<void> {
    try {
      await this.graph.learn(runId);
    } catch (error) {
      this.engine.log.warn({ err: error, run_id: runId }, 'failed to learn from a plan; will retry');
      const data = { error: 'Failed to store what was learned from the plan; will retry.' };
      await appendEvent(this.engine, runId, {
        type: 'graphrag_update_failed',
        data,
        effectKey: 'graphrag_update_failed',
      });
      await this.graph.putOff(runId);
    }
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      this.round = this.learnDue()
        .catch((error: unknown) =>
          this.engine.log.warn({ err: error }, 'failed to process lessons; will retry'),
        )
        .finally(() => {
          if (!this.isStopped) this.schedule();
        });
    }, PAUSE_MS);
  }
}

export const toolsTasks: WorkerTasks = {
  handlers: [RunToolHandler],
  services: [
    ...provideRepositories(
      CollectionRepository,
      ExportRepository,
      McpServerRepository,
      SecretRepository,
      SessionFileRepository,
      ToolGraphRepository,
    ),
    ParsingProcesses,
    ComputePool,
    SessionToolPorts,
    McpServers,
    McpDiscovery,
    Lessons,
  ],
};
