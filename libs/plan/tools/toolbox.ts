import { synonymsOf } from './retrieval/synonyms.js';
import { ToolIndex, type Learnt, type SearchableTool } from './retrieval/tool-index.js';
import type { ToolDescription } from './tool.js';

/** The tools of a tenant and the index that finds them, for plans. */
export interface Toolbox {
  tools: ReadonlyMap<string, ToolDescription>;
  /** Built on first use; checking a plan does not need it. */
  readonly index: ToolIndex;
}

/** Builds the toolbox; tools are indexed by name, description and the parameters of their schema. */
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
  description: `${description} ${synonymsOf(name)}`,
  parameters: parametersOf(input),
});

function parametersOf(input: Record<string, unknown>): Record<string, string> {
  const properties = (input['properties'] ?? {}) as Record<string, { description?: unknown } | null>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, String(schema?.description ?? '')]),
  );
}
