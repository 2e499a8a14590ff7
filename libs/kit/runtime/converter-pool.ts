import { standardProblem } from '#office/pdf/pdf-standard.js';
import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads';
import type { QualityIssue } from '#office/docx/check/check.js';
import type {
  AssetAnswer,
  AssetQuestion,
  ConvertResult,
  ConvertTask,
  ParsedDocument,
  PublishTask,
  StepTask,
  TrackRequest,
} from '#office/worker.js';
import type { AssetResolver, DocxOptions } from '#office/docx/write/write.js';
import { isNativePackageError } from '#office/native-package.js';
import type { CitationRequest, WrittenCitations } from '#contracts/bibliography.js';
import type { Structure } from '#contracts/structure.js';
import type { SourceStart } from '#office/structure/source-links.js';
import { BUSY_STRETCH, type ComputingClock } from './computing-limit.js';
import { ownMemory, takeText } from '#contracts/moved-bytes.js';
import { ThreadPool } from './thread-pool.js';
import { MemoryLimitError, TimeLimitError } from './work-pool.js';

export type { ConvertResult } from '#office/worker.js';

/** `Omit` of each part of a union. */
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

interface PoolOptions {
  threads?: number;
  /** Limit of a conversion's computing time. Default: two minutes. */
  timeLimitMs?: number;
  /**
   * Maximum elapsed time as a multiple of the limit, while other processes use the CPU. Default:
   * `BUSY_STRETCH`.
   */
  stretch?: number;
  /** Replaces the clock in tests. */
  clock?: ComputingClock;
  /** Heap of one conversion, in megabytes. Default 1,024. */
  memoryLimitMb?: number;
  /** URL of the compiled worker; needed only by tests, which run from sources. */
  workerUrl?: URL | undefined;
}

interface ConvertOptions {
  check?: boolean;
  withStructure?: boolean;
  onParsed?: (parsed: ParsedDocument) => void;
  signal?: AbortSignal;
}

/** A conversion failed; `code` is the reason. */
export class ConversionError extends Error {
  constructor(
    readonly code: 'time_limit' | 'memory_limit' | 'too_deep' | 'not_installed' | 'standard' | 'failed',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ConversionError';
  }
}

/**
 * Converts documents in worker threads, to keep the app's event loop free, and within limits, so that a
 * hostile document causes a clear error. A thread that exceeds a limit is ended and replaced.
 */
export class ConverterPool {
  private readonly pool: ThreadPool;
  private readonly worker: URL;
  private readonly timeLimitMs: number;
  private readonly memoryLimitMb: number;

  constructor(options: PoolOptions = {}) {
    this.timeLimitMs = options.timeLimitMs ?? 120_000;
    this.memoryLimitMb = options.memoryLimitMb ?? 1024;
    const worker = options.workerUrl ?? import.meta.resolve('#office/worker.js');
    this.worker = new URL(worker);
    this.pool = new ThreadPool({
      threads: options.threads ?? 1,
      memoryMb: this.memoryLimitMb,
      stackMb: 8,
      stretch: options.stretch ?? BUSY_STRETCH,
      ...(options.clock && { clock: options.clock }),
    });
  }

  /**
   * Converts a document to a Word file.
   *
   * @param source Markdown or an existing structure; its bytes of JSON are moved
   * @param resolveAsset runs in the calling thread
   * @param options `check` also compares the file with its source; `withStructure` also returns the
   *   structure; `onParsed` receives facts about Markdown input before the file is written
   * @throws ConversionError
   */
  async convert(
    source: ConvertTask['source'],
    resolveAsset: AssetResolver,
    options: DocxOptions & ConvertOptions = {},
  ): Promise<ConvertResult> {
    const { check = false, withStructure = false, onParsed, signal: given, ...docx } = options;
    const task = { step: 'convert' as const, source, options: docx, check, withStructure };
    const moved = 'structure' in source ? ownMemory([source.structure]) : [];
    return (await this.runWithAssets(task, resolveAsset, given, onParsed, moved)) as ConvertResult;
  }

  /** Writes a book as PDF or EPUB (B12). @throws ConversionError */
  async publish(
    task: DistributiveOmit<PublishTask, 'step' | 'assets'>,
    resolveAsset: AssetResolver,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    return (await this.runWithAssets({ step: 'publish', ...task }, resolveAsset, signal)) as Uint8Array;
  }

  /** Builds the structure of a document, with links between its sources (D24). @throws ConversionError */
  async structure(markdown: string, signal?: AbortSignal): Promise<Structure> {
    return JSON.parse(takeText(await this.structureJson(Buffer.from(markdown), signal))) as Structure;
  }

  /** Like `structure`, with the text and the result as UTF-8, which is moved and not copied. @throws ConversionError */
  async structureJson(
    markdown: Uint8Array,
    signal?: AbortSignal,
    sources: SourceStart[] = [],
  ): Promise<Uint8Array> {
    const task = { step: 'structure' as const, markdown, sources };
    return (await this.run(task, signal, ownMemory([markdown]))) as Uint8Array;
  }

  /** Compares a file with its structure (D24), of which the bytes are moved. @throws ConversionError */
  async check(structure: Uint8Array, docx: Uint8Array, signal?: AbortSignal): Promise<QualityIssue[]> {
    return (await this.run(
      { step: 'check', structure, docx },
      signal,
      ownMemory([structure]),
    )) as QualityIssue[];
  }

  /** Writes citations in a style. @throws ConversionError */
  async cite(request: CitationRequest, signal?: AbortSignal): Promise<WrittenCitations> {
    return (await this.run({ step: 'cite', request }, signal)) as WrittenCitations;
  }

  /** Writes open proposals into a Word file as tracked changes and comments (X9). @throws ConversionError */
  async track(request: TrackRequest, signal?: AbortSignal): Promise<Uint8Array> {
    return (await this.run({ step: 'track', ...request }, signal)) as Uint8Array;
  }

  private async runWithAssets(
    task: DistributiveOmit<ConvertTask | PublishTask, 'assets'>,
    resolveAsset: AssetResolver,
    given: AbortSignal | undefined,
    onParsed: (parsed: ParsedDocument) => void = () => undefined,
    moved: ArrayBuffer[] = [],
  ): Promise<unknown> {
    const { port1, port2 } = new MessageChannel();
    answerAssets(port1, resolveAsset, onParsed);
    try {
      return await this.run({ ...task, assets: port2 }, given, [port2, ...moved]);
    } finally {
      port1.close();
    }
  }

  private async run(
    task: StepTask | ConvertTask | PublishTask,
    given: AbortSignal | undefined,
    transferList: Transferable[] = [],
  ): Promise<unknown> {
    try {
      return await this.pool.run(this.worker, task, this.timeLimitMs, given, transferList);
    } catch (error) {
      given?.throwIfAborted();
      throw this.explain(error);
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private explain(error: unknown): ConversionError {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof TimeLimitError)
      return new ConversionError('time_limit', `The conversion took longer than ${this.timeLimitMs} ms.`, {
        cause: error,
      });
    if (error instanceof MemoryLimitError)
      return new ConversionError(
        'memory_limit',
        `The conversion needs more than ${this.memoryLimitMb} MB of memory.`,
        {
          cause: error,
        },
      );
    if (error instanceof RangeError && /call stack/i.test(message))
      return new ConversionError('too_deep', 'The document nests its blocks too deeply to convert.', {
        cause: error,
      });
    if (isNativePackageError(error)) return new ConversionError('not_installed', message, { cause: error });
    const problem = error instanceof Error ? standardProblem(error) : null;
    if (problem !== null) return new ConversionError('standard', problem, { cause: error });
    return new ConversionError('failed', `The conversion failed: ${message}`, { cause: error });
  }
}

function answerAssets(
  port: MessagePort,
  resolveAsset: AssetResolver,
  onParsed: (parsed: ParsedDocument) => void,
): void {
  port.on('message', (question: AssetQuestion | { parsed: ParsedDocument }) => {
    if ('parsed' in question) return onParsed(question.parsed);
    const answer = (bytes: AssetAnswer['bytes']): void => {
      const reply: AssetAnswer = { id: question.id, bytes };
      port.postMessage(reply);
    };
    // An unreadable file counts as missing; the document contains a note in its place.
    resolveAsset(question.ref).then(answer, () => answer(null));
  });
}
