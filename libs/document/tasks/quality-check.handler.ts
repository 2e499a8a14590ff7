import { phrase } from '#contracts/phrases/phrase.js';
import type { TaskInput, TaskOutput } from '#catalogue/tasks.js';
import { fileAddresses } from '#office/structure/file-address.js';
import type { Structure } from '#contracts/structure.js';
import type { Database } from '#db/client.js';
import {
  TaskFailure,
  TaskHandler,
  type TaskContext,
  type TaskHandlerOf,
} from '#engine/queue/task-handler.js';
import { BUSY_STRETCH } from '#kit/runtime/computing-limit.js';
import { DATABASE, STORE } from '#kit/runtime/infrastructure.module.js';
import { largestSource } from '#kit/runtime/largest-source.js';
import { SourceTexts, storeLedger } from '#kit/runtime/source-texts.js';
import { ThreadPool } from '#kit/runtime/thread-pool.js';
import { WorkLimitError } from '#kit/runtime/work-pool.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { ledgerSchema } from '#verbatim/ledger.js';
import type { MissingText } from '#verbatim/word/missing-text.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ConversionPool } from '#kit/conversion/conversion-pool.js';
import { CONVERTER_MB } from '#config/memory.js';
import type { TraceResult, TraceWork } from './trace.worker.js';

const WORKER = new URL('./trace.worker.js', import.meta.url);
/** Computing time limit in ms for tracing the sources of one document. */
const LIMIT_MS = 200_000;
const MAX_ISSUES = 100;
/** Size of a Word file in bytes up to which it is read by two threads at the same time. */
const MAX_READ_TWICE_BYTES = 1024 * 1024;

type Issue = TaskOutput<'quality_check'>['issues'][number];

/**
 * D24, D33, X1: reads the DOCX back, compares it with structure.json, traces source lines to visible text.
 */
@Injectable()
@TaskHandler('quality_check')
export class QualityCheckHandler implements TaskHandlerOf<'quality_check'>, OnApplicationShutdown {
  private readonly sources: SourceTexts;
  private readonly threads: ThreadPool;

  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly pool: ConversionPool,
  ) {
    this.sources = new SourceTexts(db, store);
    this.threads = new ThreadPool({
      threads: 1,
      memoryMb: CONVERTER_MB.tracing,
      stretch: BUSY_STRETCH,
    });
  }

  async handle(
    input: TaskInput<'quality_check'>,
    context: TaskContext,
  ): Promise<TaskOutput<'quality_check'>> {
    const structure = (await this.readJson(input.structure_json_path)) as Structure;
    const docx = await this.store.getBytes(input.output_docx_path);
    const checking = this.pool.run(context, (pool) => pool.check(structure, docx, context.signal));
    // Both read the file, each in a separate thread; one after the other if it is so large that two need too much memory.
    if (docx.length > MAX_READ_TWICE_BYTES) await checking;
    const [differences, { missing, traced }] = await Promise.all([
      checking,
      this.trace(input, docx, fileAddresses(structure), context),
    ]);
    const issues: Issue[] = [...differences, ...missing.map(missingIssue)];
    const output = { passed: issues.length === 0, issues: issues.slice(0, MAX_ISSUES) };
    return traced === null
      ? output
      : { ...output, ledger_path: await storeLedger(this.store, context, traced) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.close();
  }

  /** Traces the sources to the file. Returns an empty result if the run lacks a ledger. */
  private async trace(
    { ledger_path, sources = [], manuscript }: TaskInput<'quality_check'>,
    docx: Uint8Array,
    addresses: string[],
    { tenantId, sessionId, signal }: TaskContext,
  ): Promise<TraceResult> {
    if (ledger_path == null) return { missing: [], traced: null };
    const manuscripts = new ManuscriptStore(this.store, tenantId, sessionId);
    const work: TraceWork = {
      docx,
      ledger: ledgerSchema.parse(await this.readJson(ledger_path)),
      sources: await this.sources.read(tenantId, sessionId, sources),
      addresses,
      manuscript: manuscript === undefined ? null : await manuscripts.read(manuscript),
    };
    try {
      return await this.threads.run<TraceResult>(WORKER, work, LIMIT_MS, signal);
    } catch (error) {
      if (!(error instanceof WorkLimitError)) throw error;
      const largest = await largestSource(this.db, tenantId, sessionId);
      const advice = phrase('run_error.trace_too_hard');
      throw new TaskFailure(
        'trace_too_hard',
        largest ? phrase('sentences', { first: advice, rest: largest }) : advice,
      );
    }
  }

  private async readJson(key: string): Promise<unknown> {
    return JSON.parse(Buffer.from(await this.store.getBytes(key)).toString('utf8'));
  }
}

function missingIssue({ source, line, missing }: MissingText): Issue {
  const quote = missing.length > 80 ? `${missing.slice(0, 80)}…` : missing;
  return {
    rule: 'sources',
    message: `${source} line ${line}: the Word file does not show ${JSON.stringify(quote)}`,
    source_line: null,
  };
}
