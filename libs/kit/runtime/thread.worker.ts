import { getHeapStatistics } from 'node:v8';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { ownMemory } from '#contracts/moved-bytes.js';

/** A module with a default export, and the input for it; its `moved` returns the byte arrays of a result that are not copied. */
export interface ThreadTask {
  module: string;
  input: unknown;
}

export interface ThreadAnswer {
  result: unknown;
  /** Heap of the thread in bytes after the task, including what is no longer used but not collected. */
  heapBytes: number;
}

/** Entry point of the threads of `ThreadPool`. Returns a `ThreadAnswer`. */
export default async function run({ module, input }: ThreadTask): Promise<unknown> {
  const { default: work, moved = () => [] } = (await import(module)) as {
    default: (input: unknown) => unknown;
    moved?: (result: unknown) => Uint8Array[];
  };
  const result = await work(input);
  const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  const answer: ThreadAnswer = { result, heapBytes: heap + buffers };
  return move({ [transferableSymbol]: ownMemory(moved(result)), [valueSymbol]: answer });
}
