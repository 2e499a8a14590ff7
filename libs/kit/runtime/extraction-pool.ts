import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { ExtractionError, UndecodedError } from '#extraction/errors.js';
import { ocrLanguages } from '#extraction/ocr/recognize.js';
import type { Inventory } from '#contracts/inventory.js';
import { unreadInventory } from '#inventory/take-inventory.js';
import type {
  Extracted,
  ExtractionResult,
  ExtractionWork,
  InventoryWork,
  UndecodedText,
} from './extract.worker.js';
import type { ProcessPool } from './process-pool.js';
import { MemoryLimitError, runDespiteKills, TimeLimitError } from './work-pool.js';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledModule } from './compiled-module.js';

/** Libraries whose code decides which text and which pieces are found in a file. */
const LIBRARIES = ['extraction', 'inventory', 'markdown', 'office'];
const WORKER = new URL('./extract.worker.js', import.meta.url);
let version: string | undefined;

/**
 * Returns a hash of the compiled code that extracts texts and takes inventories, and of the versions of its packages, with the
 * languages of OCR: any change of them makes earlier extractions invalid.
 */
export function extractionVersion(): string {
  if (version !== undefined) return version;
  const libs = fileURLToPath(new URL('../../', compiledModule(WORKER)));
  const hash = createHash('sha256').update(readFileSync(join(libs, '../../package.json')));
  hash.update(ocrLanguages().join());
  for (const library of LIBRARIES)
    for (const name of (readdirSync(join(libs, library), { recursive: true }) as string[]).sort())
      if (name.endsWith('.js')) hash.update(name).update(readFileSync(join(libs, library, name)));
  return (version = hash.digest('hex'));
}

export type { Extracted, UndecodedText } from './extract.worker.js';

/** Limit of an extraction's computing time, in milliseconds. */
export const EXTRACTION_LIMIT_MS = 60_000;

/**
 * Extracts the text of tenants' files in processes with limits: a hostile file causes a clear error and does
 * not end the worker.
 */
export class ExtractionPool {
  constructor(private readonly processes: ProcessPool) {}

  /** @throws ExtractionError that names the file, in words for people; the signal's reason */
  async extract(
    tenantId: string,
    work: ExtractionWork,
    signal: AbortSignal,
  ): Promise<Extracted | UndecodedText> {
    const result = await this.run(tenantId, work, signal);
    if ('problem' in result) throw new ExtractionError(detailOf(result.problem));
    return result;
  }

  /**
   * Like `extract`, for callers that cannot ask a person for the encoding. @throws UndecodedError, and the
   * errors of `extract`
   */
  async extractDecoded(tenantId: string, work: ExtractionWork, signal: AbortSignal): Promise<Extracted> {
    const result = await this.extract(tenantId, work, signal);
    if ('undecoded' in result) throw new UndecodedError(detailOf(result.why));
    return result;
  }

  /**
   * Compares a file with the text that was extracted from it. If the pieces of the file cannot be listed, the inventory says why, so
   * that its document is still written.
   *
   * @throws the signal's reason
   */
  async inventory(tenantId: string, work: InventoryWork, signal: AbortSignal): Promise<Inventory> {
    try {
      return await this.limited<Inventory>(tenantId, work, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TimeLimitError)
        return unreadInventory(`that takes longer than ${EXTRACTION_LIMIT_MS / 1000} s`);
      return unreadInventory(
        error instanceof MemoryLimitError ? 'that needs too much memory' : 'it cannot be read',
      );
    }
  }

  private async run(tenantId: string, work: ExtractionWork, signal: AbortSignal): Promise<ExtractionResult> {
    const { name } = work;
    try {
      return await this.limited<ExtractionResult>(tenantId, work, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TimeLimitError)
        throw new ExtractionError(
          phrase('unreadable.too_slow', { name, seconds: EXTRACTION_LIMIT_MS / 1000 }),
        );
      if (error instanceof MemoryLimitError)
        throw new ExtractionError(phrase('unreadable.too_much_memory', { name }));
      // The parser failed with an unknown error; another attempt would fail as well.
      throw new ExtractionError(phrase('unreadable.crashed', { name }));
    }
  }

  private limited<T>(
    tenantId: string,
    work: ExtractionWork | InventoryWork,
    signal: AbortSignal,
  ): Promise<T> {
    return runDespiteKills(this.processes.for(WORKER, tenantId), work, EXTRACTION_LIMIT_MS, signal);
  }
}
