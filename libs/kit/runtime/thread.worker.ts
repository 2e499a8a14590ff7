import { getHeapStatistics } from 'node:v8';

/** A module with a default export, and the input for it. */
export interface ThreadTask {
  module: string;
  input: unknown;
}

export interface ThreadAnswer {
  result: unknown;
  /** Heap of the thread in bytes after the task, including what is no longer used but not collected. */
  heapBytes: number;
}

/** Entry point of the threads of `ThreadPool`. */
export default async function run({ module, input }: ThreadTask): Promise<ThreadAnswer> {
  const { default: work } = (await import(module)) as { default: (input: unknown) => unknown };
  const result = await work(input);
  const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return { result, heapBytes: heap + buffers };
}
