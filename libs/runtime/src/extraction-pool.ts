import { ExtractionError, UndecodedError } from '#extraction/extract.js';
import type { Extracted, ExtractionResult, ExtractionWork, UndecodedText } from './extract.worker.js';
import type { ProcessPool } from './process-pool.js';
import { MemoryLimitError, TimeLimitError } from './work-pool.js';

export type { Extracted, UndecodedText } from './extract.worker.js';

const WORKER = new URL('./extract.worker.js', import.meta.url);

/** What one extraction may compute, in milliseconds. */
export const EXTRACTION_LIMIT_MS = 60_000;

/** Extracts the text of what tenants send in processes with limits: a hostile file ends in a clear error, not the worker. */
export class ExtractionPool {
  constructor(private readonly processes: ProcessPool) {}

  /** @throws ExtractionError that names the file, in words for a person; the signal's reason */
  async extract(
    tenantId: string,
    work: ExtractionWork,
    signal: AbortSignal,
  ): Promise<Extracted | UndecodedText> {
    const result = await this.run(tenantId, work, signal);
    if ('problem' in result) throw new ExtractionError(result.problem);
    return result;
  }

  /** As `extract`, where nobody decides about encodings. @throws UndecodedError, and what `extract` throws */
  async extractDecoded(tenantId: string, work: ExtractionWork, signal: AbortSignal): Promise<Extracted> {
    const result = await this.extract(tenantId, work, signal);
    if ('undecoded' in result) throw new UndecodedError(result.why);
    return result;
  }

  private async run(tenantId: string, work: ExtractionWork, signal: AbortSignal): Promise<ExtractionResult> {
    const { name } = work;
    try {
      return await this.processes
        .for(WORKER, tenantId)
        .run<ExtractionResult>(work, EXTRACTION_LIMIT_MS, signal);
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
