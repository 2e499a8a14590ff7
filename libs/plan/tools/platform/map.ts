import { isObject } from '#contracts/lenient.js';
import { detailOf } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { z } from 'zod';
import { itemPosition, type PlanTask } from '../../contract/values.js';
import { valueAt } from '#contracts/json-pointer.js';
import { startsRun } from '../graph/runs.js';
import type { ItemLog } from './call-journal.js';
import { ItemJournal, type JournalStore } from './item-journal.js';
import { BrokenOffCallError, defineTool, FOR_PEOPLE, ToolCallError, type ToolDescription } from '../tool.js';

/** Ports of `map`: calls another tool for one item. */
export interface MapPorts {
  /** @throws ToolCallError if the call for this item failed */
  callItem(tool: string, input: unknown, index: number): Promise<unknown>;
  /** Stores finished items, which a repetition after a crash does not call again. */
  journal?: JournalStore;
  /** Log of calls that must not be repeated; without it, calls may be repeated. */
  calls?: ItemLog;
  /** Whether the time of a `map` with such a log is over: no further call begins, and those under way are interrupted. */
  isOver?(): boolean;
}

export const MAP = 'map';
const MAX_ITEMS = 10_000;
const MAX_WIDTH = 8;
/** Number of failures that the result describes by message; further ones are only counted. */
const MAX_FAILURES = 100;

const itemReferenceSchema = z.object({ $item: z.string().max(500) }).strict();

export const mapInput = z.object({
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
  skip: z
    .array(z.number().int().min(0))
    .max(MAX_ITEMS)
    .optional()
    .meta({ [FOR_PEOPLE]: true })
    .describe('positions of items to leave out'),
  replace: z
    .record(itemPosition, z.record(z.string(), z.unknown()))
    .optional()
    .meta({ [FOR_PEOPLE]: true })
    .describe('arguments of single calls instead of the common ones, by position'),
});

export const mapTool = defineTool({
  name: MAP,
  description:
    'Call another tool once for each item of a list, several at a time: for each file, for every row, also to send or change something for each. Failed items are reported and do not stop the others.',
  input: mapInput,
  output: z.object({
    completed: z.number().int().describe('number of items whose call succeeded'),
    failed: z.number().int().describe('number of items whose call failed'),
    failures: z
      .array(z.object({ index: z.number().int(), code: z.string(), message: z.string() }))
      .describe('the first 100 failures, by position in the list'),
    results: z
      .array(z.unknown())
      .describe('result for each item, in order; null if it failed or was left out'),
    interrupted: z
      .array(z.number().int())
      .optional()
      .meta({ [FOR_PEOPLE]: true })
      .describe('positions of items whose call got no answer and may have taken effect'),
  }),
  timeoutMs: 300_000,
  cost: 5,
  async run({ items, tool, width = MAX_WIDTH, on_error: onError, ...given }, ports: MapPorts) {
    const journal = ports.calls ?? (await ItemJournal.open(ports.journal, items.length));
    const skipped = new Set(given.skip);
    const results = items.map((_, index): unknown => journal.finished.get(index) ?? null);
    let completed = journal.finished.size;
    const failures = [...journal.failed].map((index) => ({ index, error: failedBefore() }));
    let next = 0;
    const isOver = () => ports.calls !== undefined && ports.isOver?.() === true;
    const work = async (): Promise<void> => {
      for (let index = next++; index < items.length && !isOver(); index = next++) {
        const isSettled = [journal.finished, journal.failed, journal.interrupted].some((set) =>
          set.has(index),
        );
        if (isSettled || skipped.has(index)) continue;
        try {
          const args = itemArguments(given, items[index], index);
          if (!(await journal.begin(index))) continue;
          results[index] = (await ports.callItem(tool, args, index)) ?? null;
          await journal.add(index, results[index]);
          completed += 1;
        } catch (error) {
          // Stop the other lanes: the whole task is repeated or ends.
          const isKnown = error instanceof ToolCallError;
          if (!isKnown) next = items.length;
          if (!isKnown && !isOver()) throw error;
          const isUnknown = !isKnown || (ports.calls !== undefined && error instanceof BrokenOffCallError);
          await journal.fail(index, isUnknown);
          if (!isUnknown) failures.push({ index, error });
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(width, items.length) }, work));
    failures.sort((a, b) => a.index - b.index);
    const [first] = failures;
    const interrupted = [...journal.interrupted].sort((a, b) => a - b);
    const called = items.filter((_, index) => !skipped.has(index)).length;
    if (isOver() && interrupted.length === 0 && completed + failures.length < called)
      throw new Error('The time of the map is over.');
    if (first && interrupted.length === 0 && (onError === 'fail' || failures.length === called))
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
      completed,
      failed: failures.length,
      failures: failures
        .slice(0, MAX_FAILURES)
        .map(({ index, error: { code, message } }) => ({ index, code, message })),
      results,
      ...(interrupted.length > 0 && { interrupted }),
    };
  },
});

const failedBefore = () => new ToolCallError('call_failed', phrase('tool_error.item_failed_before'));

interface ItemArguments {
  arguments: Record<string, unknown>;
  replace?: Record<string, Record<string, unknown>> | undefined;
}

/** Returns the arguments of the call for an item of a `map`. @throws ToolCallError if the item lacks a value */
export function itemArguments(
  { arguments: args, replace = {} }: ItemArguments,
  item: unknown,
  index: number,
): Record<string, unknown> {
  const own = Object.hasOwn(replace, index) ? replace[index]! : args;
  return fillItem(own, item) as Record<string, unknown>;
}

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

type Step = Pick<PlanTask, 'tool' | 'arguments'>;

/** Returns the tool and arguments of a plan step; of a `map`, the tool and arguments of its call for each item. */
export function calledBy(task: Step): { tool: string; args: Record<string, unknown> } {
  const mapped = mappedTool(task);
  if (mapped === null) return { tool: task.tool, args: task.arguments };
  return { tool: mapped, args: argumentsIn(task.arguments['arguments']) };
}

/** Returns the arguments of each different call of a plan step: of a `map`, also of the calls that an answer replaced. */
export function callsOf(task: Step): Record<string, unknown>[] {
  const replaced = task.tool === MAP ? argumentsIn(task.arguments['replace']) : {};
  return [calledBy(task).args, ...Object.values(replaced).map(argumentsIn)];
}

const argumentsIn = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** Returns the items of a `map` whose call may have taken effect, by its result. */
export const interruptedItems = (result: unknown): number[] =>
  (result as { interrupted?: number[] }).interrupted ?? [];

/** Returns the name of the tool that a plan step calls for each item; null if the step is not a `map` or names no tool. */
export function mappedTool(task: Step): string | null {
  const name = task.tool === MAP ? task.arguments['tool'] : null;
  return typeof name === 'string' ? name : null;
}

/** Returns why `map` cannot call a tool; null if it can. */
export function unmappable(name: unknown, tool: ToolDescription | undefined): Phrase | null {
  if (typeof name !== 'string') return phrase('map_problem.reference');
  if (!tool) return phrase('map_problem.unknown_tool', { tool: name });
  if (name === MAP) return phrase('map_problem.itself');
  if (startsRun(name)) return phrase('map_problem.starts_runs');
  return null;
}
