import type { KindFacts } from '#engine/kind.js';
import type { Provider, Type } from '@nestjs/common';
import type { McpTool } from './mcp/mcp-tool.js';
import type { SessionDeletionHook } from './sessions/deletion-hooks.js';

/** Parts that a feature adds to the gateway. */
export interface GatewayFeature {
  /** Absent for a feature without a kind of run. */
  facts?: KindFacts;
  controllers: Type[];
  providers: Provider[];
  /** Providers of tools for `/mcp`. */
  mcpTools?: Type<McpTools>[];
  onSessionDeletion?: SessionDeletionHook;
}

export interface McpTools {
  all: () => McpTool[];
}
