import type { WorkerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import { SessionFileRepository, type SessionFile } from '#db/repositories/session-files.js';
import type { EmbeddedImage } from '#extraction/embedded-images.js';
import { isExtractedName } from '#extraction/file-kinds.js';
import { TaskFailure, type TaskContext } from '#queue/task-handler.js';
import { DATABASE, SETTINGS, STORE } from '#runtime/infrastructure.module.js';
import { ThreadPool, ThreadTimeoutError } from '#runtime/thread-pool.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { lookup } from 'mime-types';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ExtractionResult } from './extract.worker.js';

const LIMIT_MS = 60_000;
/** Heap of one extraction; two at once stay within the memory that the scanner's manifest gives it. */
const MEMORY_MB = 512;

/** Extracts the text of inputs that are documents, in a thread with limits, and keeps it beside the input. */
@Injectable()
export class TextExtractor implements OnApplicationShutdown {
  private readonly files: SessionFileRepository;
  private readonly pool: ThreadPool;

  constructor(
    @Inject(DATABASE) db: Database,
    @Inject(STORE) private readonly store: ObjectStore,
    @Inject(SETTINGS) settings: WorkerSettings,
  ) {
    this.files = new SessionFileRepository(db);
    this.pool = new ThreadPool(new URL('./extract.worker.js', import.meta.url), {
      threads: settings.WORKER_THREADS,
      memoryMb: MEMORY_MB,
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
    await this.pool.close();
  }

  private async extract(
    input: SessionFile,
    signal: AbortSignal,
  ): Promise<{ text: string; images: EmbeddedImage[] }> {
    const bytes = await this.store.getBytes(input.objectKey);
    const failure = (why: string) =>
      new TaskFailure('extraction_failed', `${why}. Replace or remove the file and start a new run.`);
    try {
      const result = await this.pool.run<ExtractionResult>({ bytes, name: input.name }, LIMIT_MS, signal);
      if ('problem' in result) throw failure(result.problem);
      return result;
    } catch (error) {
      if (error instanceof ThreadTimeoutError)
        throw failure(`The text of ${input.name} could not be extracted in time`);
      throw error;
    }
  }
}
