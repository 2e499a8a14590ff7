import { ToolCallError } from '../tool.js';
import { computeTools } from './catalogue.js';

/** A call of a tool that computes. */
export interface ComputeCall {
  tool: string;
  input: unknown;
}

/** What came of it; an error of the call travels as data, because an error's class is lost between threads. */
export type ComputeResult = { ok: true; output: unknown } | { ok: false; code: string; message: string };

const byName = new Map(computeTools.map((tool) => [tool.description.name, tool]));

/** Runs in a thread. @throws Error for what the caller could not have avoided */
export default async function compute({ tool, input }: ComputeCall): Promise<ComputeResult> {
  try {
    return { ok: true, output: await byName.get(tool)!.call(input, {}) };
  } catch (error) {
    if (error instanceof ToolCallError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}
