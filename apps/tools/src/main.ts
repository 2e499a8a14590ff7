import { ParsingProcesses } from '#runtime/parsing-processes.js';
import { runWorkerApp } from '#runtime/worker-app.js';
import { ComputePool } from './compute-pool.js';
import { Lessons } from './lessons.js';
import { McpDiscovery } from './mcp/discovery.js';
import { McpServers } from './mcp/mcp-servers.service.js';
import { RunToolHandler } from './run-tool.handler.js';
import { SessionToolPorts } from './session-tool-ports.js';

runWorkerApp(
  'tools',
  [RunToolHandler],
  [ParsingProcesses, ComputePool, SessionToolPorts, McpServers, McpDiscovery, Lessons],
);
