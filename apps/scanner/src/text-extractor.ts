import type { WorkerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import type { DecidedEncodings, Undecoded } from '#contracts/kinds/document/tasks.js';
import { SessionFileRepository, UNKNOWN_ENCODING, type SessionFile } from '#db/repositories/session-files.js';
import type { EmbeddedImage } from '#extraction/embedded-images.js';
import { isExtractedName } from '#extraction/file-kinds.js';
import { TaskFailure, type TaskContext } from '#queue/task-handler.js';
import { DATABASE, SETTINGS, STORE } from '#runtime/infrastructure.module.js';
import { ThreadMemoryError, ThreadPool, ThreadTimeoutError } from '#runtime/thread-pool.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { lookup } from 'mime-types';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Extracted, ExtractionResult, ExtractionWork } from './extract.worker.js';

const LIMIT_MS = 60_000;
/** Heap of one extraction; the limits together stay within the memory that the scanner's manifest gives it. */
const MEMORY_MB = 384;
/** What the process may grow by while a PDF is read: its streams unpack into buffers, which a heap's limit leaves out. */
const GROWTH_MB = 1_000;

/** Inputs whose text is not what they are made of. */
const isExtracted = ({ name, encoding }: SessionFile) =>
  isExtractedName(name) || encoding === UNKNOWN_ENCODING;

/** Extracts the text of inputs that are documents, or in another encoding than UTF-8, in a thread with limits, and keeps it beside the input. */
@Injectable()
export class TextExtractor implements OnApplicationShutdown {
  private readonly files: SessionFileRepository;
  private readonly pool: ThreadPool;
  /** One at a time, so that what the process grows by is what that one takes. */
  private readonly pdfs: ThreadPool;

  constructor(
    @Inject(DATABASE) db: Database,
    @Inject(STORE) private readonly store: ObjectStore,
    @Inject(SETTINGS) settings: WorkerSettings,
  ) {
    this.files = new SessionFileRepository(db);
    const worker = new URL('./extract.worker.js', import.meta.url);
    this.pool = new ThreadPool(worker, {
      threads: settings.WORKER_THREADS,
      memoryMb: MEMORY_MB,
      whenNeeded: true,
    });
    this.pdfs = new ThreadPool(worker, {
      threads: 1,
      memoryMb: MEMORY_MB,
      whenNeeded: true,
      growthMb: GROWTH_MB,
    });
  }

  /**
   * @param encodings what was decided about inputs that are neither UTF-8 nor say what they are
   * @returns those of them about which nothing was decided
   * @throws TaskFailure `extraction_failed` that names the file and says what to do
   */
  async extractAll(
    context: TaskContext,
    inputs: SessionFile[],
    encodings: DecidedEncodings,
  ): Promise<Undecoded[]> {
    const { tenantId, sessionId, signal } = context;
    const known = new Set((await this.files.list(tenantId, sessionId, 'texts')).map(({ name }) => name));
    const undecoded: Undecoded[] = [];
    for (const input of inputs.filter(isExtracted)) {
      // What was decided about a file in an earlier run of the session is not asked again.
      if (input.encoding === UNKNOWN_ENCODING && known.has(input.name)) continue;
      const decided = encodings[input.name];
      const result = await this.extract(input, signal, decided?.encoding);
      if ('undecoded' in result) undecoded.push({ name: input.name, ...result.undecoded });
      else await this.keep(context, input, result, decided?.by ?? 'the file itself');
    }
    return undecoded;
  }

  private async keep(
    { tenantId, sessionId }: TaskContext,
    input: SessionFile,
    { text: markdown, images, encoding }: Extracted,
    by: string,
  ): Promise<void> {
    const text = Buffer.from(markdown);
    for (const image of images) await this.keepImage(tenantId, sessionId, input, image);
    const objectKey = sessionKey(tenantId, sessionId, 'texts', `${input.sha256}.md`);
    const { size, sha256 } = await this.store.put(objectKey, text, {
      contentType: 'text/markdown; charset=utf-8',
    });
    await this.files.add(tenantId, {
      sessionId,
      folder: 'texts',
      name: input.name,
      objectKey,
      size,
      sha256,
      mediaType: 'text/markdown',
      ...(encoding === null ? {} : { encoding, encodingBy: by }),
    });
  }

  /** An image inside a document becomes an asset of the session, under the name that the text refers to. */
  private async keepImage(
    tenantId: string,
    sessionId: string,
    input: SessionFile,
    { name, bytes }: EmbeddedImage,
  ): Promise<void> {
    const mediaType = lookup(name) || 'application/octet-stream';
    const objectKey = sessionKey(
      tenantId,
      sessionId,
      'assets',
      `${input.sha256}${name.slice(input.name.length)}`,
    );
    const { size, sha256 } = await this.store.put(objectKey, bytes, { contentType: mediaType });
    await this.files.add(tenantId, { sessionId, folder: 'assets', name, objectKey, size, sha256, mediaType });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pool.close(), this.pdfs.close()]);
  }

  private async extract(
    input: SessionFile,
    signal: AbortSignal,
    encoding: string | undefined,
  ): Promise<Exclude<ExtractionResult, { problem: string }>> {
    const bytes = await this.store.getBytes(input.objectKey);
    const work: ExtractionWork = {
      bytes,
      name: input.name,
      ...(encoding === undefined ? {} : { encoding }),
    };
    const failure = (why: string) =>
      new TaskFailure('extraction_failed', `${why}. Replace or remove the file and start a new run.`);
    try {
      const pool = /\.pdf$/i.test(input.name) ? this.pdfs : this.pool;
      const result = await pool.run<ExtractionResult>(work, LIMIT_MS, signal);
      if ('problem' in result) throw failure(result.problem);
      return result;
    } catch (error) {
      if (signal.aborted || error instanceof TaskFailure) throw error;
      if (error instanceof ThreadTimeoutError)
        throw failure(`${input.name} takes longer than ${LIMIT_MS / 1000} s to read`);
      if (error instanceof ThreadMemoryError) throw failure(`${input.name} needs too much memory to be read`);
      // The parser of a format failed in a way that it does not name; another attempt would end the same.
      throw failure(`${input.name} cannot be read: it is damaged, or not what its name says`);
    }
  }
}
