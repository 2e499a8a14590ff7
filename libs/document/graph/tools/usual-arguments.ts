import type { AIMessage } from '@langchain/core/messages';

type ToolCall = NonNullable<AIMessage['tool_calls']>[number];

/**
 * Returns the arguments of a call with parts that models often omit: the marks of a heading. Without them, the call
 * would fail and be repeated.
 */
export function usualArguments({ name, args }: Pick<ToolCall, 'name' | 'args'>): Record<string, unknown> {
  const heading: unknown = args['heading'];
  const isBare = name === 'place_source' && typeof heading === 'string' && /^[^#\s]/.test(heading);
  return isBare ? { ...args, heading: `# ${heading}` } : args;
}
