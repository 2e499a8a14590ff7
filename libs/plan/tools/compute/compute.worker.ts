import { detailOf, messageOf, type Message } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { isNestedDeeper, MAX_RESULT_DEPTH, ToolCallError } from '../tool.js';
import { MAX_RESULT_LENGTH } from '../stored-result.js';
import { tableOfFile, type TableOptions } from '../platform/table-file.js';
import { writeWorkbook, type WorkbookTables } from '../platform/workbook.js';
import { computeTools } from './catalogue.js';

/** A call of a computing tool, or work of a tool with I/O on the bytes of a file. */
export type ComputeCall =
  | { tool: string; input: unknown }
  | { work: 'read_table'; bytes: Uint8Array; name: string; options: TableOptions }
  | { work: 'make_workbook'; tables: WorkbookTables };

/** The outcome of a call; errors of the call are data, because an error's class is lost between processes. */
export type ComputeResult = { ok: true; output: unknown } | ({ ok: false; code: string } & Message);

const byName = new Map(computeTools.map((tool) => [tool.description.name, tool]));

/** Runs a tool; called in a child process. @throws Error for failures that the caller did not cause */
export default async function compute(call: ComputeCall): Promise<ComputeResult> {
  try {
    const output = await outputOf(call);
    // Check the result here: the parent has other work and would have to load the result into its memory.
    if (isNestedDeeper(output, MAX_RESULT_DEPTH))
      throw new ToolCallError('too_large', phrase('tool_error.result_nested', { max: MAX_RESULT_DEPTH }));
    if (isTooLong(output))
      throw new ToolCallError('too_large', phrase('tool_error.result_too_large', { max: 64 }));
    return { ok: true, output };
  } catch (error) {
    if (error instanceof ToolCallError) return { ok: false, code: error.code, ...messageOf(detailOf(error)) };
    throw error;
  }
}

/** @returns a workbook as base64: results are JSON */
async function outputOf(call: ComputeCall): Promise<unknown> {
  if (!('work' in call)) return byName.get(call.tool)!.call(call.input, {});
  if (call.work === 'read_table') return tableOfFile(call.bytes, call.name, call.options);
  return (await writeWorkbook(call.tables)).toString('base64');
}

function isTooLong(output: unknown): boolean {
  try {
    return (JSON.stringify(output)?.length ?? 0) > MAX_RESULT_LENGTH;
  } catch (error) {
    // The JSON exceeds the maximum length of a string.
    if (error instanceof RangeError) return true;
    throw error;
  }
}
