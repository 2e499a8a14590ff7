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
import { Lessons } from './lessons.js';
import { RunToolHandler } from './run-tool.handler.js';
import { SessionToolPorts } from './session-tool-ports.js';

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
