import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { runWorkerApp } from '#kit/runtime/worker-app.js';
import { ComputePool } from '#plan/tasks/compute-pool.js';
import { Lessons } from '#plan/tasks/lessons.js';
import { McpDiscovery } from '#plan/mcp/discovery.js';
import { McpServers } from '#plan/mcp/mcp-servers.service.js';
import { RunToolHandler } from '#plan/tasks/run-tool.handler.js';
import { SessionToolPorts } from '#plan/tasks/session-tool-ports.js';

runWorkerApp(
  'tools',
  [RunToolHandler],
  [ParsingProcesses, ComputePool, SessionToolPorts, McpServers, McpDiscovery, Lessons],
);
