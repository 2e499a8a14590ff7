import { detailOf } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { z } from 'zod';
import { valueAt } from '../../dag/dag.js';
import { startsRun } from '../graph/runs.js';
import { ItemJournal, type JournalStore } from './item-journal.js';
import { defineTool, ToolCallError, type ToolDescription } from '../tool.js';

/** Ports of `map`: calls another tool for one item. */
export interface MapPorts {
  /** @throws ToolCallError if the call for this item failed */
  callItem(tool: string, input: unknown, index: number): Promise<unknown>;
  /** Stores finished items, which a repetition after a crash does not call again. */
  journal?: JournalStore;
}

export const MAP = 'map';
const MAX_ITEMS = 10_000;
const MAX_WIDTH = 8;
/** Number of failures that the result describes by message; further ones are only counted. */
const MAX_FAILURES = 100;

const itemReferenceSchema = z.object({ $item: z.string().max(500) }).strict();

export const mapTool = defineTool({
  name: MAP,
  description:
    'Call another tool once for each item of a list, several at a time: for each file, for every row. Failed items are reported and do not stop the others.',
  input: z.object({
    items: z.array(z.unknown()).max(MAX_ITEMS).describe('list of items'),
    tool: z.string().min(1).max(200).describe('name of the tool to call, written out'),
    arguments: z
      .record(z.string(), z.unknown())
      .describe('arguments of each call; {"$item": "/name"} is a value of the item, "" the whole item'),
    width: z
      .number()
      .int()
      .min(1)
      .max(MAX_WIDTH)
      .optional()
      .describe(`calls at the same time (default: ${MAX_WIDTH})`),
    on_error: z
      .enum(['report', 'fail'])
      .optional()
      .describe(
        'whether failed items are only reported (default) or fail the task; it fails if all items fail',
      ),
  }),
  output: z.object({
    completed: z.number().int().describe('number of items whose call succeeded'),
    failed: z.number().int().describe('number of items whose call failed'),
    failures: z
      .array(z.object({ index: z.number().int(), code: z.string(), message: z.string() }))
      .describe('the first 100 failures, by position in the list'),
    results: z.array(z.unknown()).describe('result for each item, in order; null if it failed'),
  }),
  timeoutMs: 300_000,
  cost: 5,
  async run({ items, tool, arguments: args, width = MAX_WIDTH, on_error: onError }, ports: MapPorts) {
    const journal = await ItemJournal.open(ports.journal, items.length);
    const results = items.map((_, index): unknown => journal.finished.get(index) ?? null);
    const failures: { index: number; error: ToolCallError }[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < items.length; index = next++) {
        if (journal.finished.has(index)) continue;
        try {
          results[index] = (await ports.callItem(tool, fillItem(args, items[index]), index)) ?? null;
          await journal.add(index, results[index]);
        } catch (error) {
          // Stop the other lanes: the whole task is repeated or ends.
          if (!(error instanceof ToolCallError)) next = items.length;
          if (!(error instanceof ToolCallError)) throw error;
          failures.push({ index, error });
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(width, items.length) }, work));
    failures.sort((a, b) => a.index - b.index);
    const [first] = failures;
    if (first && (onError === 'fail' || failures.length === items.length))
      throw new ToolCallError(
        first.error.code,
        phrase('tool_error.items_failed', {
          failed: failures.length,
          items: items.length,
          first: first.index,
          problem: detailOf(first.error),
        }),
      );
    return {
      completed: items.length - failures.length,
      failed: failures.length,
      failures: failures
        .slice(0, MAX_FAILURES)
        .map(({ index, error: { code, message } }) => ({ index, code, message })),
      results,
    };
  },
});

/** Replaces each `{"$item": pointer}` in the arguments by its value. @throws ToolCallError if the item lacks it */
function fillItem(value: unknown, item: unknown): unknown {
  const reference = itemReferenceSchema.safeParse(value);
  if (reference.success) {
    const found = valueAt(item, reference.data.$item);
    if (found === undefined)
      throw new ToolCallError(
        'invalid_arguments',
        phrase('tool_error.item_value', { path: reference.data.$item }),
      );
    return found;
  }
  if (Array.isArray(value)) return value.map((each) => fillItem(each, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillItem(each, item)]));
}

/** Returns the number of failed items in the result of a `map`. */
export const failedItems = (result: unknown): number => (result as { failed: number }).failed;

/** Returns the tool and arguments of a plan step; of a `map`, the tool and arguments of its call for each item. */
export function calledBy(task: { tool: string; arguments: Record<string, unknown> }): {
  tool: string;
  args: Record<string, unknown>;
} {
  const mapped = mappedTool(task);
  if (mapped === null) return { tool: task.tool, args: task.arguments };
  const args = task.arguments['arguments'];
  const isRecord = typeof args === 'object' && args !== null && !Array.isArray(args);
  return { tool: mapped, args: isRecord ? (args as Record<string, unknown>) : {} };
}

/** Returns the name of the tool that a plan step calls for each item; null if the step is not a `map` or names no tool. */
export function mappedTool(task: { tool: string; arguments: Record<string, unknown> }): string | null {
  const name = task.tool === MAP ? task.arguments['tool'] : null;
  return typeof name === 'string' ? name : null;
}

/**
 * Returns why `map` cannot call a tool; null if it can. Calls that must not be repeated are excluded, because
 * calls that were under way at a crash, or finished in an incomplete batch, are repeated.
 */
export function unmappable(name: unknown, tool: ToolDescription | undefined): Phrase | null {
  if (typeof name !== 'string') return phrase('map_problem.reference');
  if (!tool) return phrase('map_problem.unknown_tool', { tool: name });
  if (name === MAP) return phrase('map_problem.itself');
  if (startsRun(name)) return phrase('map_problem.starts_runs');
  if (!tool.isRepeatable) return phrase('map_problem.not_repeatable', { tool: name });
  return null;
}
