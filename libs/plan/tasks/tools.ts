import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import { McpDiscovery } from '../mcp/discovery.js';
import { McpServers } from '../mcp/mcp-servers.service.js';
import { ComputePool } from './compute-pool.js';
import { Lessons } from './lessons.js';
import { RunToolHandler } from './run-tool.handler.js';
import { SessionToolPorts } from './session-tool-ports.js';

export const toolsTasks: WorkerTasks = {
  handlers: [RunToolHandler],
  services: [ParsingProcesses, ComputePool, SessionToolPorts, McpServers, McpDiscovery, Lessons],
};
