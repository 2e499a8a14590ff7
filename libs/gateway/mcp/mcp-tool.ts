import type { EndpointName } from '#catalogue/endpoints.js';
import type { Caller } from '#db/repositories/tenants.js';
import type { z } from 'zod';
import type { AskPerson } from './ask-person.js';

/** One call of a tool by a client of `/mcp`. */
export interface McpCall {
  caller: Caller;
  /** Aborts when the client disconnects or its key ends. */
  signal: AbortSignal;
  /**
   * Reports progress if the client asked for it.
   *
   * @param progress increases with each report of a call
   */
  report: (progress: number, message: string) => Promise<void>;
  askPerson: AskPerson;
}

/**
 * What a call can do: only read; change things of the tenant; end or replace something; or act outside the
 * service, since a plan may send data to other servers.
 */
export type McpEffect = 'reads' | 'changes' | 'ends' | 'acts_outside';

/** A tool that `/mcp` offers: an operation of the API, or several, in one call. */
export interface McpTool {
  name: string;
  description: string;
  /** Operation that determines the scope a caller needs and the call's name in the audit log. */
  endpoint: EndpointName;
  input: z.ZodObject;
  output: z.ZodObject;
  effect: McpEffect;
  /** True if repeating a call changes nothing. */
  isIdempotent: boolean;
  /** @throws ProblemError like the operation */
  run: (input: unknown, call: McpCall) => Promise<Record<string, unknown>>;
}

/** Injection token for the tools of all features. */
export const MCP_TOOLS = Symbol('MCP_TOOLS');

interface McpToolOptions<I extends z.ZodObject, O extends z.ZodObject> {
  name: string;
  description: string;
  endpoint: EndpointName;
  input: I;
  output: O;
  effect: McpEffect;
  isIdempotent?: boolean;
  run: (input: z.output<I>, call: McpCall) => Promise<z.input<O>>;
}

/** Defines a tool; `run` gets arguments that were checked against `input`. */
export function defineMcpTool<I extends z.ZodObject, O extends z.ZodObject>(
  options: McpToolOptions<I, O>,
): McpTool {
  const { run, isIdempotent = false, ...rest } = options;
  return { ...rest, isIdempotent, run: (input, call) => run(input as z.output<I>, call) };
}
