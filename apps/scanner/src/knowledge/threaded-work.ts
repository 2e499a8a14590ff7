import { ExtractionError } from '#extraction/extract.js';
import type { Segment } from '#knowledge/index/segment.js';
import type { IndexWork } from '#knowledge/ingest/work.js';
import { ThreadPool } from '#runtime/thread-pool.js';
import type { IndexAnswer, IndexCall } from './index.worker.js';

/** Milliseconds for one step of the largest source. */
const LIMIT_MS = 300_000;
/** A segment of 16,384 passages and what it is made of. */
const THREAD_MEMORY_MB = 2_048;

/** Bytes that come from a thread have lost that they are a Buffer. */
const asBuffers = (segment: Segment): Segment => ({
  ...segment,
  buckets: segment.buckets.map((bucket) => ({ ...bucket, bytes: Buffer.from(bucket.bytes) })),
});

/** The work of indexing in threads, so that the event loop stays free to renew leases. */
export class ThreadedWork implements IndexWork {
  private readonly pool: ThreadPool;

  constructor(
    threads: number,
    private readonly signal: AbortSignal,
  ) {
    this.pool = new ThreadPool(new URL('./index.worker.js', import.meta.url), {
      threads,
      memoryMb: THREAD_MEMORY_MB,
    });
  }

  readonly extract: IndexWork['extract'] = (...input) => this.call({ name: 'extract', input });
  readonly plan: IndexWork['plan'] = (...input) => this.call({ name: 'plan', input });
  readonly build: IndexWork['build'] = async (...input) =>
    asBuffers(await this.call({ name: 'build', input }));
  readonly merge: IndexWork['merge'] = async (...input) => {
    const result = await this.call<Awaited<ReturnType<IndexWork['merge']>>>({ name: 'merge', input });
    return { ...result, merged: asBuffers(result.merged) };
  };

  close(): Promise<void> {
    return this.pool.close();
  }

  private async call<T>(call: IndexCall): Promise<T> {
    const answer = await this.pool.run<IndexAnswer>(call, LIMIT_MS, this.signal);
    if ('problem' in answer) throw new ExtractionError(answer.problem);
    return answer.value as T;
  }
}
