import type { AIMessage } from '@langchain/core/messages';

type ToolCall = NonNullable<AIMessage['tool_calls']>[number];

/** Names that models give to the argument `filename`. */
const FILENAMES = ['file', 'path'];

/**
 * Returns the arguments of a call with what models often omit or name differently: the marks of a heading, `filename`.
 * Without this, the call would fail and be repeated.
 */
export function usualArguments({ name, args }: Pick<ToolCall, 'name' | 'args'>): Record<string, unknown> {
  const heading: unknown = args['heading'];
  if (name === 'place_source' && typeof heading === 'string' && /^[^#\s]/.test(heading))
    return usualArguments({ name, args: { ...args, heading: `# ${heading}` } });
  const other = FILENAMES.find((key) => typeof args[key] === 'string');
  return args['filename'] === undefined && other !== undefined ? { ...args, filename: args[other] } : args;
}
