import { phrase } from '#contracts/phrases/phrase.js';
import type { WorkerSettings } from '#config/settings.js';
import { ConversionError, ConverterPool, type ConvertResult } from '../runtime/converter-pool.js';
import type { QualityIssue } from '#office/docx/check/check.js';
import type { AssetResolver, DocxOptions } from '#office/docx/write/write.js';
import type { CitationRequest, WrittenCitations } from '#contracts/bibliography.js';
import type { Structure } from '#contracts/structure.js';
import type { Database } from '#db/client.js';
import { TaskFailure, type TaskContext } from '#engine/queue/task-handler.js';
import { DATABASE, SETTINGS } from '../runtime/infrastructure.module.js';
import { largestSource } from '../runtime/largest-source.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { MEMORY_MB } from '#config/memory/converter.js';

/** Limits of one conversion step. */
export const LIMITS = { timeLimitMs: 240_000, memoryLimitMb: MEMORY_MB.conversion };

/** Advice to people about documents that exceed a conversion limit. */
const ADVICE = {
  time_limit: phrase('run_error.conversion_time_limit'),
  memory_limit: phrase('run_error.conversion_memory_limit'),
  too_deep: phrase('run_error.conversion_too_deep'),
};

/** Conversion threads. A document that exceeds a limit fails its task immediately with a clear error. */
@Injectable()
export class ConversionPool implements OnApplicationShutdown {
  private readonly pool: ConverterPool;

  constructor(
    @Inject(SETTINGS) settings: WorkerSettings,
    @Inject(DATABASE) private readonly db: Database,
  ) {
    this.pool = new ConverterPool({ ...LIMITS, threads: settings.WORKER_THREADS });
  }

  /**
   * @throws TaskFailure `conversion_time_limit`, `conversion_memory_limit`, `conversion_too_deep` or
   * `conversion_not_installed`, like the methods below
   */
  structure(markdown: string, context: TaskContext): Promise<Structure> {
    return this.explained(context, this.pool.structure(markdown, context.signal));
  }

  docx(
    structure: Structure,
    resolveAsset: AssetResolver,
    options: DocxOptions,
    context: TaskContext,
  ): Promise<ConvertResult> {
    const { signal } = context;
    return this.explained(context, this.pool.convert({ structure }, resolveAsset, { ...options, signal }));
  }

  publish(
    task: Parameters<ConverterPool['publish']>[0],
    resolveAsset: AssetResolver,
    context: TaskContext,
  ): Promise<Uint8Array> {
    return this.explained(context, this.pool.publish(task, resolveAsset, context.signal));
  }

  check(structure: unknown, docx: Uint8Array, context: TaskContext): Promise<QualityIssue[]> {
    return this.explained(context, this.pool.check(structure, docx, context.signal));
  }

  cite(request: CitationRequest, context: TaskContext): Promise<WrittenCitations> {
    return this.explained(context, this.pool.cite(request, context.signal));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async explained<T>({ tenantId, sessionId }: TaskContext, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof ConversionError) || error.code === 'failed') throw error;
      if (error.code === 'not_installed') throw new TaskFailure('conversion_not_installed', error.message);
      const largest = await largestSource(this.db, tenantId, sessionId);
      const advice = ADVICE[error.code];
      throw new TaskFailure(
        `conversion_${error.code}`,
        largest ? phrase('sentences', { first: advice, rest: largest }) : advice,
      );
    }
  }
}
