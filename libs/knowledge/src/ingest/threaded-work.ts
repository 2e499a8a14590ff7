import { ExtractionError } from '#extraction/extract.js';
import type { Segment } from '../index/segment.js';
import type { IndexAnswer, IndexCall } from './index.worker.js';
import type { IndexWork } from './work.js';

/** The module that does the work; a call of its default export is what a thread gets. */
export const INDEX_WORKER = new URL('./index.worker.js', import.meta.url);

/** Bytes that come from a thread have lost that they are a Buffer. */
const asBuffers = (segment: Segment): Segment => ({
  ...segment,
  buckets: segment.buckets.map((bucket) => ({ ...bucket, bytes: Buffer.from(bucket.bytes) })),
});

/** The work of indexing in threads, so that the event loop stays free. @param run calls `INDEX_WORKER` in a thread */
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
    build: async (...input) => asBuffers(await call({ name: 'build', input })),
    merge: async (...input) => {
      const result = await call<Awaited<ReturnType<IndexWork['merge']>>>({ name: 'merge', input });
      return { ...result, merged: asBuffers(result.merged) };
    },
  };
}
