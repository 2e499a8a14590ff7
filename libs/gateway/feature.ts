import type { KindFacts } from '#engine/kind.js';
import type { Provider, Type } from '@nestjs/common';
import type { McpTool } from './mcp/mcp-tool.js';
import type { Database } from '#db/client.js';
import type { ObjectStore } from '#storage/object-store.js';

/** Prepares the deletion of a session; returns what removes the rest after the session is gone. */
export type SessionDeletionHook = (
  db: Database,
  store: ObjectStore,
  tenantId: string,
  sessionId: string,
) => Promise<() => Promise<void>>;

/** Injection token for the hooks of all features. */
export const SESSION_DELETION_HOOKS = Symbol('SESSION_DELETION_HOOKS');

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
