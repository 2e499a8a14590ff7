import { ExtractionError, UndecodedError } from '#extraction/extract.js';
import type { Extracted, ExtractionResult, ExtractionWork, UndecodedText } from './extract.worker.js';
import { BUSY_STRETCH, type ComputingClock } from './computing-limit.js';
import { ThreadMemoryError, ThreadPool, ThreadTimeoutError } from './thread-pool.js';

export type { Extracted, UndecodedText } from './extract.worker.js';

/** What one extraction may compute, in milliseconds. */
export const EXTRACTION_LIMIT_MS = 60_000;
/** Heap of one extraction. */
const MEMORY_MB = 384;
/** What the process may grow by while a PDF is read: its streams unpack into buffers, which a heap's limit leaves out. */
const GROWTH_MB = 1_000;

/** Extracts the text of what tenants send in threads with limits: a hostile file ends in a clear error, not the process. */
export class ExtractionPool {
  private readonly pool: ThreadPool;
  /** One at a time, so that what the process grows by is what that one takes. */
  private readonly pdfs: ThreadPool;

  /**
   * @param threads for files of other formats than PDF
   * @param clock replaces the clock of the process in tests
   */
  constructor(threads: number, clock?: ComputingClock) {
    const worker = new URL('./extract.worker.js', import.meta.url);
    const limits = {
      memoryMb: MEMORY_MB,
      whenNeeded: true,
      stretch: BUSY_STRETCH,
      ...(clock && { clock }),
    };
    this.pool = new ThreadPool(worker, { ...limits, threads });
    this.pdfs = new ThreadPool(worker, { ...limits, threads: 1, growthMb: GROWTH_MB });
  }

  /** @throws ExtractionError that names the file, in words for a person; the signal's reason */
  async extract(work: ExtractionWork, signal: AbortSignal): Promise<Extracted | UndecodedText> {
    const result = await this.run(work, signal);
    if ('problem' in result) throw new ExtractionError(result.problem);
    return result;
  }

  /** As `extract`, where nobody decides about encodings. @throws UndecodedError, and what `extract` throws */
  async extractDecoded(work: ExtractionWork, signal: AbortSignal): Promise<Extracted> {
    const result = await this.extract(work, signal);
    if ('undecoded' in result) throw new UndecodedError(result.why);
    return result;
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.pdfs.close()]);
  }

  private async run(work: ExtractionWork, signal: AbortSignal): Promise<ExtractionResult> {
    const { name } = work;
    try {
      const pool = /\.pdf$/i.test(name) ? this.pdfs : this.pool;
      return await pool.run<ExtractionResult>(work, EXTRACTION_LIMIT_MS, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ThreadTimeoutError)
        throw new ExtractionError(`${name} takes longer than ${EXTRACTION_LIMIT_MS / 1000} s to read`);
      if (error instanceof ThreadMemoryError)
        throw new ExtractionError(`${name} needs too much memory to be read`);
      // The parser of a format failed in a way that it does not name; another attempt would end the same.
      throw new ExtractionError(`${name} cannot be read: it is damaged, or not what its name says`);
    }
  }
}
