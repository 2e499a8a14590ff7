import { ToolIndex, type Learnt, type SearchableTool } from './retrieval/tool-index.js';
import type { ToolDescription } from './tool.js';

/** What plans are made of: the tools of a tenant, and how they are found. */
export interface Toolbox {
  tools: ReadonlyMap<string, ToolDescription>;
  /** Made when it is asked for first: to check a plan takes none. */
  readonly index: ToolIndex;
}

/** The tools as they are searched: by name, description and the parameters of their schema. */
export function buildToolbox(tools: readonly ToolDescription[], learnt?: Learnt): Toolbox {
  let index: ToolIndex | null = null;
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    get index() {
      return (index ??= new ToolIndex(tools.map(searchable), learnt));
    },
  };
}

const searchable = ({ name, description, input }: ToolDescription): SearchableTool => ({
  name,
  description,
  parameters: parametersOf(input),
});

function parametersOf(input: Record<string, unknown>): Record<string, string> {
  const properties = (input['properties'] ?? {}) as Record<string, { description?: unknown } | null>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, String(schema?.description ?? '')]),
  );
}
