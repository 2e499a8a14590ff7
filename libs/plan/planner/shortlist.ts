import type { ToolDescription } from '../tools/tool.js';
import type { Toolbox, ToolSimilarities } from '../tools/toolbox.js';

const MAX_TOOLS = 20;
/** Tools that nearly every plan needs, even if the request does not mention them. */
const COMMON = [
  'list_inputs',
  'read_input',
  'extract_text',
  'parse_csv',
  'transform_json',
  'aggregate',
  'query_tables',
  'call_model',
  'map',
  'branch',
  'write_file',
];

/**
 * Returns the tools from which the model chooses: tools that the plan already uses, the common ones, and the
 * best matches for the request. At most 20, unless the plan itself uses more.
 *
 * @param similarities of the tools to the request by meaning; null if only words decide
 */
export function shortlist(
  { tools, index }: Toolbox,
  request: string,
  used: readonly string[],
  similarities: ToolSimilarities | null = null,
): ToolDescription[] {
  const found = index.search(request, MAX_TOOLS, similarities).map(({ name }) => name);
  const chosen = new Set([...used, ...COMMON].filter((name) => tools.has(name)));
  for (const name of [...found, ...tools.keys()]) if (chosen.size < MAX_TOOLS) chosen.add(name);
  // Use the order of the catalogue, so that prompts with the same tools have a common beginning.
  return [...tools.values()].filter(({ name }) => chosen.has(name));
}
