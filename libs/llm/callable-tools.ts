import type { StructuredToolInterface } from '@langchain/core/tools';
import { z } from 'zod';

/** The tools that a model may call: whether the schema of each accepts arguments, by name. */
export type CallableTools = ReadonlyMap<string, (args: Record<string, unknown>) => boolean>;

export const callableTools = (tools: readonly StructuredToolInterface[] = []): CallableTools =>
  new Map(
    tools.map(({ name, schema }) => [
      name,
      (args) => !(schema instanceof z.ZodType) || schema.safeParse(args).success,
    ]),
  );

/**
 * Returns the name of the tool that a model means. Servers add the namespace of their prompt, control tokens or a number
 * to it, and models write it in another style.
 *
 * @returns a name that every server accepts in a conversation if it is no tool's
 */
export function calledName(given: string, tools: CallableTools): string {
  if (tools.has(given)) return given;
  const words = given.split(/[^\w-]+/).map(withoutStyle);
  const meant = [...tools.keys()].find((name) => words.includes(withoutStyle(name)));
  return (
    meant ??
    (given
      .split('<|')[0]!
      .replace(/[^\w-]+/g, '_')
      .slice(0, LONGEST_NAME) ||
      'unknown')
  );
}

const LONGEST_NAME = 64;
const withoutStyle = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');
