import { ExtractionError } from '#extraction/errors.js';
import type { Segment } from '../index/segment.js';
import type { IndexAnswer, IndexCall } from './index.worker.js';
import type { IndexWork } from './work.js';

/** URL of the worker module; threads call its default export. */
export const INDEX_WORKER = new URL('./index.worker.js', import.meta.url);

/** Converts bytes back to a Buffer: data from a thread arrives as Uint8Array. */
const asBuffers = (segment: Segment): Segment => ({
  ...segment,
  buckets: segment.buckets.map((bucket) => ({ ...bucket, bytes: Buffer.from(bucket.bytes) })),
});

/**
 * Does the work of indexing in threads, so that the event loop stays free. @param run calls `INDEX_WORKER` in
 * a thread
 */
export function threadedWork(run: (call: IndexCall) => Promise<IndexAnswer>): IndexWork {
  const call = async <T>(work: IndexCall): Promise<T> => {
    const answer = await run(work);
    if ('problem' in answer) throw new ExtractionError(answer.problem);
    return answer.value as T;
  };
  return {
    extract: (...input) => call({ name: 'extract', input }),
    tidy: (...input) => call({ name: 'tidy', input }),
    plan: (...input) => call({ name: 'plan', input }),
    build: async (...input) => (await call<Segment[]>({ name: 'build', input })).map(asBuffers),
    merge: async (...input) => {
      const result = await call<Awaited<ReturnType<IndexWork['merge']>>>({ name: 'merge', input });
      return { ...result, merged: asBuffers(result.merged) };
    },
  };
}
