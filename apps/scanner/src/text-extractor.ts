import type { WorkerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import { SessionFileRepository, type SessionFile } from '#db/repositories/session-files.js';
import type { EmbeddedImage } from '#extraction/embedded-images.js';
import { isExtractedName } from '#extraction/file-kinds.js';
import { TaskFailure, type TaskContext } from '#queue/task-handler.js';
import { DATABASE, SETTINGS, STORE } from '#runtime/infrastructure.module.js';
import { ThreadMemoryError, ThreadPool, ThreadTimeoutError } from '#runtime/thread-pool.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { lookup } from 'mime-types';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ExtractionResult } from './extract.worker.js';

const LIMIT_MS = 60_000;
/** Heap of one extraction; the limits together stay within the memory that the scanner's manifest gives it. */
const MEMORY_MB = 384;
/** What the process may grow to while a PDF is read: its streams unpack into buffers, which a heap's limit leaves out. */
const PROCESS_MEMORY_MB = 1_300;

/** Extracts the text of inputs that are documents, in a thread with limits, and keeps it beside the input. */
@Injectable()
export class TextExtractor implements OnApplicationShutdown {
  private readonly files: SessionFileRepository;
  private readonly pool: ThreadPool;
  /** One at a time, so that the memory of the process is that of the one that is read. */
  private readonly pdfs: ThreadPool;

  constructor(
    @Inject(DATABASE) db: Database,
    @Inject(STORE) private readonly store: ObjectStore,
    @Inject(SETTINGS) settings: WorkerSettings,
  ) {
    this.files = new SessionFileRepository(db);
    const worker = new URL('./extract.worker.js', import.meta.url);
    this.pool = new ThreadPool(worker, { threads: settings.WORKER_THREADS, memoryMb: MEMORY_MB });
    this.pdfs = new ThreadPool(worker, {
      threads: 1,
      memoryMb: MEMORY_MB,
      processMemoryMb: PROCESS_MEMORY_MB,
    });
  }

  /** @throws TaskFailure `extraction_failed` that names the file and says what to do */
  async extractAll({ tenantId, sessionId, signal }: TaskContext, inputs: SessionFile[]): Promise<void> {
    for (const input of inputs.filter(({ name }) => isExtractedName(name))) {
      const { text: markdown, images } = await this.extract(input, signal);
      const text = Buffer.from(markdown);
      for (const image of images) await this.keepImage(tenantId, sessionId, input, image);
      const objectKey = sessionKey(tenantId, sessionId, 'texts', `${input.sha256}.md`);
      const { size, sha256 } = await this.store.put(objectKey, text, {
        contentType: 'text/markdown; charset=utf-8',
      });
      const file = {
        sessionId,
        folder: 'texts' as const,
        name: input.name,
        objectKey,
        size,
        sha256,
        mediaType: 'text/markdown',
      };
      await this.files.add(tenantId, file);
    }
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
  ): Promise<{ text: string; images: EmbeddedImage[] }> {
    const bytes = await this.store.getBytes(input.objectKey);
    const failure = (why: string) =>
      new TaskFailure('extraction_failed', `${why}. Replace or remove the file and start a new run.`);
    try {
      const pool = /\.pdf$/i.test(input.name) ? this.pdfs : this.pool;
      const result = await pool.run<ExtractionResult>({ bytes, name: input.name }, LIMIT_MS, signal);
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
