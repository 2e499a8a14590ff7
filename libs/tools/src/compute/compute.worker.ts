import { isNestedDeeper, MAX_RESULT_DEPTH } from '../nesting.js';
import { MAX_RESULT_LENGTH } from '../stored-result.js';
import { ToolCallError } from '../tool.js';
import { computeTools } from './catalogue.js';

/** A call of a tool that computes. */
export interface ComputeCall {
  tool: string;
  input: unknown;
}

/** The outcome of a call; errors of the call are data, because an error's class is lost between processes. */
export type ComputeResult = { ok: true; output: unknown } | { ok: false; code: string; message: string };

const byName = new Map(computeTools.map((tool) => [tool.description.name, tool]));

/** Runs in a child process. @throws Error for what the caller could not have avoided */
export default async function compute({ tool, input }: ComputeCall): Promise<ComputeResult> {
  try {
    const output = await byName.get(tool)!.call(input, {});
    // Looked at here: whoever called has other work, and what it is handed is in its memory.
    if (isNestedDeeper(output, MAX_RESULT_DEPTH))
      throw new ToolCallError('too_large', `The result nests deeper than ${MAX_RESULT_DEPTH} levels.`);
    if (isTooLong(output)) throw new ToolCallError('too_large', 'The result is larger than 64 MiB.');
    return { ok: true, output };
  } catch (error) {
    if (error instanceof ToolCallError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}

function isTooLong(output: unknown): boolean {
  try {
    return (JSON.stringify(output)?.length ?? 0) > MAX_RESULT_LENGTH;
  } catch (error) {
    // Longer than any string may be.
    if (error instanceof RangeError) return true;
    throw error;
  }
}
