import type { WorkerSettings } from '#config/settings.js';
import { ConversionError, ConverterPool, type ConvertResult } from '#runtime/converter-pool.js';
import type { QualityIssue } from '#office/docx/check/check.js';
import type { AssetResolver, DocxOptions } from '#office/docx/write/write.js';
import type { Structure } from '#office/structure/schema.js';
import { TaskFailure } from '#queue/task-handler.js';
import { SETTINGS } from '#runtime/infrastructure.module.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** Limits of one step of a conversion; two at once stay within the memory that the converter's manifest gives it. */
const LIMITS = { timeLimitMs: 240_000, memoryLimitMb: 1_280 };

/** What a person can do about a document that is too much for a conversion. */
const ADVICE = {
  time_limit: 'The document took too long to convert. Split it into smaller ones.',
  memory_limit: 'The document needs too much memory to convert. Split it into smaller ones.',
  too_deep: 'The document is nested too deeply to convert. Flatten its lists or quotes.',
};

/** The threads that convert; a document that is too much for one ends its task with a clear failure, at once. */
@Injectable()
export class ConversionPool implements OnApplicationShutdown {
  private readonly pool: ConverterPool;

  constructor(@Inject(SETTINGS) settings: WorkerSettings) {
    this.pool = new ConverterPool({ ...LIMITS, threads: settings.WORKER_THREADS });
  }

  /** @throws TaskFailure `conversion_time_limit`, `conversion_memory_limit` or `conversion_too_deep`, as of the others */
  structure(markdown: string, signal: AbortSignal): Promise<Structure> {
    return explained(this.pool.structure(markdown, signal));
  }

  docx(
    structure: Structure,
    resolveAsset: AssetResolver,
    options: DocxOptions,
    signal: AbortSignal,
  ): Promise<ConvertResult> {
    return explained(this.pool.convert({ structure }, resolveAsset, { ...options, signal }));
  }

  check(structure: unknown, docx: Uint8Array, signal: AbortSignal): Promise<QualityIssue[]> {
    return explained(this.pool.check(structure, docx, signal));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ConversionError) || error.code === 'failed') throw error;
    throw new TaskFailure(`conversion_${error.code}`, ADVICE[error.code]);
  }
}
