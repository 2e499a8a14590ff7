import type { toolGraphSchema, toolSchema } from '../contract/schemas.js';
import type { Database } from '#db/client.js';
import { McpServerRepository } from '../store/mcp-servers.js';
import { ToolGraphRepository } from '../store/tool-graph.js';
import { DATABASE } from '#kit/runtime/infrastructure.module.js';
import { platformCatalogue } from '../tools/catalogue.js';
import { serverTools } from '../tools/mcp/server-tool.js';
import type { ToolDescription } from '../tools/tool.js';
import { buildToolbox, type Toolbox } from '../tools/toolbox.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';

type ToolView = z.infer<typeof toolSchema>;

/** Tools of a tenant, and what was learnt about them. */
@Injectable()
export class ToolsService {
  private readonly graph: ToolGraphRepository;
  private readonly servers: McpServerRepository;

  constructor(@Inject(DATABASE) db: Database) {
    this.graph = new ToolGraphRepository(db);
    this.servers = new McpServerRepository(db);
  }

  async toolbox(tenantId: string): Promise<Toolbox> {
    const [tools, learnt] = await Promise.all([this.catalogue(tenantId), this.graph.learnt(tenantId)]);
    return buildToolbox(tools, learnt);
  }

  /** Returns only the tools by name, which suffices to check a plan. */
  async byName(tenantId: string): Promise<Pick<Toolbox, 'tools'>> {
    return buildToolbox(await this.catalogue(tenantId));
  }

  /** Returns the platform's tools and the approved tools of the tenant's MCP servers. */
  private async catalogue(tenantId: string): Promise<ToolDescription[]> {
    return [...platformCatalogue, ...serverTools(await this.servers.approved(tenantId))];
  }

  async list(tenantId: string, query: string | undefined, limit: number): Promise<ToolView[]> {
    const { tools, index } = await this.toolbox(tenantId);
    if (query === undefined) return [...tools.values()].slice(0, limit).map((tool) => toolView(tool, null));
    return index.search(query, limit).map(({ name, score }) => toolView(tools.get(name)!, score));
  }

  async learnt(tenantId: string): Promise<z.infer<typeof toolGraphSchema>> {
    const learnt = await this.graph.learnt(tenantId);
    const { index } = buildToolbox(await this.catalogue(tenantId), learnt);
    return {
      nodes: [...index.importance()].map(([name, rank]) => ({ name, rank })),
      edges: learnt.edges,
      requests: [...learnt.requests].map(([tool, requests]) => ({ tool, requests })),
    };
  }

  async reset(tenantId: string): Promise<z.infer<typeof toolGraphSchema>> {
    await this.graph.reset(tenantId);
    return this.learnt(tenantId);
  }
}

function toolView(tool: ToolDescription, score: number | null): ToolView {
  const { name, description, input, output, sideEffects, timeoutMs, attempts, cost } = tool;
  return {
    name,
    description,
    input,
    output,
    side_effects: sideEffects,
    timeout_ms: timeoutMs,
    attempts,
    cost,
    score,
  };
}
