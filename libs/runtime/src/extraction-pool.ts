import { ExtractionError, UndecodedError } from '#extraction/extract.js';
import type { Extracted, ExtractionResult, ExtractionWork, UndecodedText } from './extract.worker.js';
import type { ProcessPool } from './process-pool.js';
import { MemoryLimitError, TimeLimitError, type WorkPool } from './work-pool.js';

export type { Extracted, UndecodedText } from './extract.worker.js';

/** What one extraction may compute, in milliseconds. */
export const EXTRACTION_LIMIT_MS = 60_000;

/** Extracts the text of what tenants send in processes with limits: a hostile file ends in a clear error, not the worker. */
export class ExtractionPool {
  private readonly pool: WorkPool;

  constructor(processes: ProcessPool) {
    const worker = new URL('./extract.worker.js', import.meta.url);
    this.pool = processes.for(worker);
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

  private async run(work: ExtractionWork, signal: AbortSignal): Promise<ExtractionResult> {
    const { name } = work;
    try {
      return await this.pool.run<ExtractionResult>(work, EXTRACTION_LIMIT_MS, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TimeLimitError)
        throw new ExtractionError(`${name} takes longer than ${EXTRACTION_LIMIT_MS / 1000} s to read`);
      if (error instanceof MemoryLimitError)
        throw new ExtractionError(`${name} needs too much memory to be read`);
      // The parser of a format failed in a way that it does not name; another attempt would end the same.
      throw new ExtractionError(`${name} cannot be read: it is damaged, or not what its name says`);
    }
  }
}
