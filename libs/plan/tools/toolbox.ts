import { synonymsOf } from './retrieval/synonyms.js';
import { ToolIndex, type Learnt, type SearchableTool } from './retrieval/tool-index.js';
import type { ToolDescription } from './tool.js';

/** Similarity of each tool to a request by meaning, by the tool's name. */
export type ToolSimilarities = ReadonlyMap<string, number>;

/** The tools of a tenant and the index that finds them, for plans. */
export interface Toolbox {
  tools: ReadonlyMap<string, ToolDescription>;
  /** Built on first use; checking a plan does not need it. */
  readonly index: ToolIndex;
  /**
   * Compares the tools with a request by their vectors; absent without an embedding endpoint.
   *
   * @returns null if the embedding server fails, so that only words can decide
   */
  similarities?: (request: string) => Promise<ToolSimilarities | null>;
}

/** Returns whether new plans are made with a tool. */
export const isOffered = ({ replacedBy }: ToolDescription): boolean => replacedBy === undefined;

/** Builds the toolbox; tools are indexed by name, description and the parameters of their schema. */
export function buildToolbox(
  tools: readonly ToolDescription[],
  learnt?: Learnt,
  similarities?: (request: string) => Promise<ToolSimilarities | null>,
): Toolbox {
  let index: ToolIndex | null = null;
  return {
    ...(similarities && { similarities }),
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    get index() {
      return (index ??= new ToolIndex(tools.filter(isOffered).map(searchable), learnt));
    },
  };
}

/** Returns the text whose vector finds a tool by meaning: its name in words, its purpose, and how people ask for it. */
export const textToEmbed = ({ name, description }: SearchableTool): string =>
  `${name.replaceAll(/[_/]/g, ' ')}: ${description}`;

/** Returns the texts by which a tool is found. */
export const searchable = ({ name, description, input }: ToolDescription): SearchableTool => ({
  name,
  description: `${description} ${synonymsOf(name)}`.trim(),
  parameters: parametersOf(input),
});

function parametersOf(input: Record<string, unknown>): Record<string, string> {
  const properties = (input['properties'] ?? {}) as Record<string, { description?: unknown } | null>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, String(schema?.description ?? '')]),
  );
}
