import type { toolGraphSchema, toolSchema, toolsSchema } from '../contract/schemas.js';
import type { Database } from '#db/client.js';
import { McpServerRepository } from '../store/mcp-servers.js';
import { ToolGraphRepository } from '../store/tool-graph.js';
import { ToolVectors } from '../store/tool-vectors.js';
import { textEmbedderOf } from '#knowledge/vectors/text-embedder.js';
import type { GatewaySettings } from '#config/settings.js';
import { DATABASE, SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { platformCatalogue } from '../tools/catalogue.js';
import { serverTools } from '../tools/mcp/server-tool.js';
import type { ToolDescription } from '../tools/tool.js';
import { buildToolbox, isOffered, type Toolbox } from '../tools/toolbox.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';

type ToolView = z.infer<typeof toolSchema>;

type FoundTools = z.infer<typeof toolsSchema>;

/** Tools of a tenant, and the learned data about them. */
@Injectable()
export class ToolsService {
  private readonly vectors: ToolVectors;

  constructor(
    @Inject(DATABASE) db: Database,
    @Inject(SETTINGS) settings: GatewaySettings,
    private readonly graph: ToolGraphRepository,
    private readonly servers: McpServerRepository,
  ) {
    this.vectors = new ToolVectors(db, textEmbedderOf(db, settings));
  }

  async toolbox(tenantId: string): Promise<Toolbox> {
    const [tools, learnt] = await Promise.all([this.catalogue(tenantId), this.graph.learnt(tenantId)]);
    return buildToolbox(tools, learnt, await this.vectors.comparing(tenantId, tools));
  }

  /** Returns only the tools by name, which suffices to check a plan. */
  async byName(tenantId: string): Promise<Pick<Toolbox, 'tools'>> {
    return buildToolbox(await this.catalogue(tenantId));
  }

  /** Returns the platform's tools and the approved tools of the tenant's MCP servers. */
  private async catalogue(tenantId: string): Promise<ToolDescription[]> {
    return [...platformCatalogue, ...serverTools(await this.servers.approved(tenantId))];
  }

  async list(tenantId: string, query: string | undefined, limit: number): Promise<FoundTools> {
    if (query === undefined) {
      const all = (await this.catalogue(tenantId)).filter(isOffered);
      return { items: all.slice(0, limit).map((tool) => toolView(tool, null)), degraded: [] };
    }
    const { tools, index, similarities } = await this.toolbox(tenantId);
    const similar = (await similarities?.(query)) ?? null;
    return {
      items: index.search(query, limit, similar).map(({ name, score }) => toolView(tools.get(name)!, score)),
      degraded: similarities && !similar ? ['semantic'] : [],
    };
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
