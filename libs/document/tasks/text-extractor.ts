import { inventorySchema, type Inventory } from '#contracts/inventory.js';
import type { DecidedEncodings, Undecoded, Unreadable } from '../contract/tasks.js';
import {
  SessionFileRepository,
  UNKNOWN_ENCODING,
  type FileFolder,
  type SessionFile,
} from '#db/repositories/session-files.js';
import type { EmbeddedImage } from '#extraction/embedded-images.js';
import { ExtractionError } from '#extraction/errors.js';
import { escapeInline } from '#markdown/escape.js';
import { percentDecoded } from '#contracts/lenient.js';
import { baseName } from '#contracts/source-name.js';
import { isExtractedName } from '#contracts/file-kinds.js';
import { type TaskContext, TaskFailure } from '#engine/queue/task-handler.js';
import {
  ExtractionPool,
  type Extracted,
  type UndecodedText,
  extractionVersion,
} from '#kit/runtime/extraction-pool.js';
import { STORE, SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { Ocr, type ReadText } from '#kit/runtime/ocr.js';
import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { ObjectNotFoundError, type ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { lookup } from 'mime-types';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { phrase } from '#contracts/phrases/phrase.js';
import type { WorkerSettings } from '#config/settings.js';
import { BUSY_STRETCH } from '#kit/runtime/computing-limit.js';
import { ThreadPool } from '#kit/runtime/thread-pool.js';
import { WorkLimitError } from '#kit/runtime/work-pool.js';
import { SCANNER_MB } from '#config/memory.js';
import { leftOutFile } from './left-out-file.js';
import type { FoundReference, ReferenceWork } from './references.worker.js';

const WORKER = new URL('./references.worker.js', import.meta.url);
/** Computing time limit per source, in ms. */
const LIMIT_MS = 20_000;

/** Finds the references of sources in threads with limits. */
@Injectable()
export class ReferenceFinder implements OnApplicationShutdown {
  private readonly pool: ThreadPool;

  constructor(@Inject(SETTINGS) settings: WorkerSettings) {
    this.pool = new ThreadPool({
      threads: settings.WORKER_THREADS,
      memoryMb: SCANNER_MB.references,
      stretch: BUSY_STRETCH,
    });
  }

  /**
   * Returns the references of each source. The limits are those of one source; sources that exceed them together are
   * searched one by one.
   *
   * @throws TaskFailure `source_too_hard`, naming the file
   */
  async find(work: ReferenceWork, signal: AbortSignal): Promise<FoundReference[][]> {
    const { sources, available } = work;
    try {
      return await this.pool.run<FoundReference[][]>(WORKER, work, LIMIT_MS, signal);
    } catch (error) {
      if (!(error instanceof WorkLimitError)) throw error;
      const [first, ...rest] = sources;
      if (rest.length === 0) {
        const detail = phrase('run_error.source_too_hard.references', { name: first?.name ?? '' });
        throw new TaskFailure('source_too_hard', detail);
      }
      const found: FoundReference[][] = [];
      for (const source of sources)
        found.push(...(await this.find({ sources: [source], available }, signal)));
      return found;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}

interface StoredBytes {
  name: string;
  bytes: Uint8Array;
}

/** Returns whether an input's text must be extracted or decoded. */
const isExtracted = ({ name, encoding }: SessionFile) =>
  isExtractedName(name) || encoding === UNKNOWN_ENCODING;

/** Returns what an extraction depends on, as a hash: the bytes, the name, a decided encoding, and the code. */
const extractionKey = ({ name, sha256 }: SessionFile, encoding: string | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([extractionVersion(), name, sha256, encoding ?? null]))
    .digest('hex');

/** Returns the note that replaces an omitted file in the document. */
const noteOf = (reason: string) =>
  `This file was left out, because it cannot be read: ${escapeInline(reason)}.\n`;

/** Extracts the text of inputs that are documents or not UTF-8, and stores it next to the input. */
@Injectable()
export class TextExtractor {
  private readonly pool: ExtractionPool;
  private readonly ocr: Ocr;

  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    processes: ParsingProcesses,
    private readonly files: SessionFileRepository,
    private readonly finder: ReferenceFinder,
  ) {
    this.pool = new ExtractionPool(processes);
    this.ocr = new Ocr(processes);
  }

  /**
   * @param encodings decisions on the encodings that could not be determined
   * @param keepsTexts whether the session's texts stay, although this release may extract others
   * @param leftOut unreadable inputs that a person left out: a note is stored as their text
   * @returns the inputs with an undecided encoding, and the unreadable inputs
   */
  async extractAll(
    context: TaskContext,
    { inputs, texts }: Record<'inputs' | 'texts', SessionFile[]>,
    encodings: DecidedEncodings,
    leftOut: readonly Unreadable[],
    keepsTexts: boolean,
  ): Promise<{ undecoded: Undecoded[]; unreadable: Unreadable[] }> {
    const { tenantId, sessionId, signal } = context;
    const known = new Map(texts.map(({ name, extraction }) => [name, extraction]));
    const undecoded: Undecoded[] = [];
    const unreadable: Unreadable[] = [];
    const omitted = new Map(leftOut.map((file) => [file.name, file]));
    for (const input of inputs.filter(isExtracted)) {
      // A decision from an earlier run of the session still applies.
      if (input.encoding === UNKNOWN_ENCODING && known.has(input.name)) continue;
      const decided = encodings[input.name];
      const by = decided?.by ?? 'the file itself';
      const extraction = extractionKey(input, decided?.encoding);
      // Differs from the key of a text: no other session may take over the note.
      const omission = `left out: ${extraction}`;
      if (known.has(input.name)) {
        if (keepsTexts || [extraction, omission].includes(known.get(input.name) ?? '')) continue;
        await this.files.remove(tenantId, sessionId, 'texts', input.name);
      }
      const file = omitted.get(input.name);
      if (file !== undefined) {
        const extracted = { text: noteOf(file.reason), format: 'text', images: [], encoding: null };
        const inventory = leftOutFile(file);
        await this.keep(context, input, extracted, { by: '', inventory, extraction: omission });
        continue;
      }
      if (await this.shared(context, input, { by, extraction })) continue;
      const bytes = await this.store.getBytes(input.objectKey);
      const result = await this.extract(tenantId, { name: input.name, bytes }, signal, decided?.encoding);
      if ('reason' in result) unreadable.push(result);
      else if ('undecoded' in result) undecoded.push({ name: input.name, ...result.undecoded });
      else {
        const inventory = await this.inventory(tenantId, { name: input.name, bytes }, result, signal);
        await this.keep(context, input, result, { by, inventory, extraction });
      }
    }
    return { undecoded, unreadable };
  }

  private async keep(
    { tenantId, sessionId }: TaskContext,
    input: SessionFile,
    { text: markdown, images, encoding }: Extracted,
    { by, inventory, extraction }: { by: string; inventory: Inventory; extraction: string },
  ): Promise<void> {
    const text = Buffer.from(markdown);
    for (const image of images) await this.keepImage(tenantId, sessionId, input, image);
    const objectKey = sessionKey(tenantId, sessionId, 'texts', `${input.id}.md`);
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
      ...{ extraction, inventory },
    });
  }

  /**
   * Copies the text and the images that another session of the tenant has extracted from the same bytes in the same way.
   *
   * @returns false if there are none, or an image that the text names is missing
   */
  private async shared(
    { tenantId, sessionId, signal }: TaskContext,
    input: SessionFile,
    { by, extraction }: { by: string; extraction: string },
  ): Promise<boolean> {
    const idOf = ({ objectKey }: SessionFile) => posix.basename(objectKey, '.md');
    const prefixOf = (text: SessionFile) => sessionKey(tenantId, text.sessionId, 'assets', idOf(text));
    const found = await this.files.findExtraction(tenantId, extraction, prefixOf);
    if (found === null || found.text.sessionId === sessionId) return false;
    const { text, images } = found;
    const ending = (image: SessionFile) => image.objectKey.slice(prefixOf(text).length);
    const copies = [
      { file: text, key: sessionKey(tenantId, sessionId, 'texts', `${input.id}.md`) },
      ...images.map((file) => ({
        file,
        key: sessionKey(tenantId, sessionId, 'assets', input.id + ending(file)),
      })),
    ];
    try {
      const bytes = await this.store.getBytes(text.objectKey);
      const sources = [{ text: Buffer.from(bytes).toString('utf8'), name: input.name }];
      const available = images.map(({ name }) => name);
      const [references = []] = await this.finder.find({ sources, available }, signal);
      const prefix = `${baseName(input.name)}.image`;
      if (
        references.some(
          ({ ref, match }) => match === null && baseName(percentDecoded(ref)).startsWith(prefix),
        )
      )
        return false;
      for (const { file, key } of copies) await this.store.copy(file.objectKey, key);
    } catch (error) {
      // The other session was deleted meanwhile.
      if (error instanceof ObjectNotFoundError) return false;
      throw error;
    }
    for (const { file, key: objectKey } of copies.toReversed()) {
      const { folder, name, size, sha256, mediaType, encoding } = file;
      await this.files.add(tenantId, {
        ...{ sessionId, folder: folder as FileFolder, name, objectKey, size, sha256, mediaType },
        ...(file !== text
          ? {}
          : {
              ...{ extraction, encoding, encodingBy: encoding === null ? null : by },
              inventory: inventorySchema.parse(file.inventory),
            }),
      });
    }
    return true;
  }

  /** Stores an image from a document as an asset of the session, under the name used in the text. */
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
      `${input.id}${name.slice(input.name.length)}`,
    );
    const { size, sha256 } = await this.store.put(objectKey, bytes, { contentType: mediaType });
    await this.files.add(tenantId, { sessionId, folder: 'assets', name, objectKey, size, sha256, mediaType });
  }

  /** Compares an input with its text, so that the ledger can list missing text. */
  private async inventory(
    tenantId: string,
    input: StoredBytes,
    extracted: ReadText,
    signal: AbortSignal,
  ): Promise<Inventory> {
    const { encoding, current = input, ocr } = extracted;
    // Words of pictures do not replace words that the text has lost.
    const work = { ...current, extracted: { text: ocr?.textBefore ?? extracted.text, encoding } };
    const inventory = await this.pool.inventory(tenantId, work, signal);
    return ocr ? { ...inventory, read_by_ocr: ocr.read } : inventory;
  }

  private async extract(
    tenantId: string,
    { name, bytes }: StoredBytes,
    signal: AbortSignal,
    encoding: string | undefined,
  ): Promise<ReadText | UndecodedText | Unreadable> {
    const work = { bytes, name, ...(encoding === undefined ? {} : { encoding }) };
    try {
      const extracted = await this.pool.extract(
        tenantId,
        { ...work, readsPictures: this.ocr.isInstalled },
        signal,
      );
      return 'undecoded' in extracted ? extracted : await this.ocr.read(tenantId, extracted, name, signal);
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      return { name, reason: error.message, ...(error.phrase ? { phrase: error.phrase } : {}) };
    }
  }
}
