import { ToolIndex, type Learnt } from './retrieval/tool-index.js';
import type { ToolDescription } from './tool.js';

/** What plans are made of: the tools of a tenant, and how they are found. */
export interface Toolbox {
  tools: ReadonlyMap<string, ToolDescription>;
  index: ToolIndex;
}

/** The tools as they are searched: by name, description and the parameters of their schema. */
export function buildToolbox(tools: readonly ToolDescription[], learnt?: Learnt): Toolbox {
  const searchable = tools.map(({ name, description, input }) => ({
    name,
    description,
    parameters: parametersOf(input),
  }));
  return { tools: new Map(tools.map((tool) => [tool.name, tool])), index: new ToolIndex(searchable, learnt) };
}

function parametersOf(input: Record<string, unknown>): Record<string, string> {
  const properties = (input['properties'] ?? {}) as Record<string, { description?: unknown } | null>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, String(schema?.description ?? '')]),
  );
}
