import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { ToolsSettings } from '#config/settings.js';
import { ProblemError } from '#contracts/errors.js';
import type { Database } from '#db/client.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { SessionFileRepository, type SessionFile } from '#db/repositories/session-files.js';
import { ExtractionError } from '#extraction/errors.js';
import { search } from '#knowledge/search/search.js';
import { CollectionRepository } from '#knowledge/store/collections.js';
import { embeddingModels, EmbeddingUsage } from '#knowledge/vectors/embedding-models.js';
import { VectorSearch } from '#knowledge/vectors/vector-search.js';
import { isNativePackageError } from '#office/native-package.js';
import { sessionImages } from '#kit/conversion/session-images.js';
import { ConverterPool } from '#kit/runtime/converter-pool.js';
import { ExtractionPool } from '#kit/runtime/extraction-pool.js';
import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import type { TaskContext } from '#engine/queue/task-handler.js';
import { DATABASE, SETTINGS, STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import type { TableOfFile, TableOptions } from '../tools/platform/table-file.js';
import type { ToolPorts } from '../tools/ports.js';
import { ToolCallError } from '../tools/tool.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { TOOLS_MB } from '#config/memory.js';
import { SecretRepository } from '../store/secrets.js';
import { ComputePool } from './compute-pool.js';
import { HttpCaller } from './http-caller.js';
import { MailSender, type AttachedFile } from './mail-sender.js';
import { OpenedSecrets } from './opened-secrets.js';

/** Limits of a conversion. Only one runs at a time: a worker shares its memory with parsing processes. */
const LIMITS = { timeLimitMs: 240_000, memoryLimitMb: TOOLS_MB.conversion };
/** Maximum number of collections searched if none is named. */
const MAX_COLLECTIONS = 20;
const MAX_INPUT_BYTES = 64 * 1024 * 1024;
/** Maximum bytes of the files of a mail. */
const MAX_ATTACHED_BYTES = 20 * 1024 * 1024;
/** Limit of the time to read or write a table, in ms. */
const TABLE_LIMIT_MS = 60_000;

/** Creates the ports through which tools access the session of their call. */
@Injectable()
export class SessionToolPorts implements OnApplicationShutdown {
  private readonly converter: ConverterPool;
  private readonly extraction: ExtractionPool;
  private readonly requests: HttpCaller;
  private readonly mails: MailSender;
  private readonly semantic: VectorSearch;

  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(STORE) private readonly store: ObjectStore,
    @Inject(SETTINGS) settings: ToolsSettings,
    processes: ParsingProcesses,
    private readonly computing: ComputePool,
    private readonly files: SessionFileRepository,
    private readonly exports: ExportRepository,
    private readonly collections: CollectionRepository,
    secrets: SecretRepository,
  ) {
    this.converter = new ConverterPool({ ...LIMITS, threads: 1 });
    this.extraction = new ExtractionPool(processes);
    const opened = new OpenedSecrets(settings, secrets);
    this.requests = new HttpCaller(settings, opened, this.extraction);
    this.mails = new MailSender(settings, opened);
    const cacheBytes = TOOLS_MB.vectors * 2 ** 20;
    this.semantic = new VectorSearch(db, embeddingModels(db, settings), new EmbeddingUsage(db), cacheBytes);
  }

  /** @param staysOnHost whether pages must not redirect to another host */
  of(context: TaskContext, signal: AbortSignal, staysOnHost = false): ToolPorts {
    return {
      inputs: {
        list: () => this.list(context),
        text: (name) => this.text(context, name, signal),
        table: (name, options) => this.table(context, { name, options }, signal),
      },
      makeWorkbook: async (tables) => {
        const call = { work: 'make_workbook' as const, tables };
        const base64 = await this.computing.call(context.tenantId, call, TABLE_LIMIT_MS, signal);
        return Buffer.from(base64 as string, 'base64');
      },
      keepFile: (file) => this.keepFile(context, file),
      sendRequest: (call) => this.requests.send(context.tenantId, call, signal, staysOnHost),
      sendMail: (mail) =>
        this.mails.send(context.tenantId, mail, () => this.attachedTo(context, mail.files), signal),
      searchKnowledge: (query, collections, k) => this.search(context, query, collections, k),
      convert: (markdown, format, title) =>
        this.convert(context, { markdown, format, title }, signal).catch((error: unknown) => {
          throw isNativePackageError(error) ? new ToolCallError('not_installed', error.message) : error;
        }),
      signal,
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.converter.close();
    await this.semantic.close();
  }

  private async list({ tenantId, sessionId }: TaskContext) {
    const inputs = await this.files.list(tenantId, sessionId, 'inputs');
    return inputs.map(({ name, size }) => ({ name, bytes: size }));
  }

  private async text(context: TaskContext, name: string, signal: AbortSignal): Promise<string> {
    try {
      const bytes = await this.bytesOf(context, name);
      return (await this.extraction.extractDecoded(context.tenantId, { bytes, name }, signal)).text;
    } catch (error) {
      if (error instanceof ExtractionError) throw new ToolCallError('no_text', detailOf(error));
      throw error;
    }
  }

  private async table(
    context: TaskContext,
    { name, options }: { name: string; options: TableOptions },
    signal: AbortSignal,
  ): Promise<TableOfFile> {
    const bytes = await this.bytesOf(context, name);
    const call = { work: 'read_table' as const, bytes, name, options };
    return (await this.computing.call(context.tenantId, call, TABLE_LIMIT_MS, signal)) as TableOfFile;
  }

  /** Returns files that the plan has written, the newest of a name, or inputs. @throws ToolCallError */
  private async attachedTo(context: TaskContext, names: readonly string[] = []): Promise<AttachedFile[]> {
    const { tenantId, sessionId, runId } = context;
    const written = names.length === 0 ? [] : await this.exports.ofRuns(tenantId, sessionId, [runId]);
    const files: AttachedFile[] = [];
    let bytes = 0;
    for (const name of names) {
      const file = written.find((each) => each.name === name) ?? (await this.inputOf(context, name));
      bytes += file.size;
      if (bytes > MAX_ATTACHED_BYTES)
        throw new ToolCallError(
          'too_large',
          phrase('tool_error.attachments_too_large', { max: MAX_ATTACHED_BYTES / 2 ** 20 }),
        );
      files.push({ filename: name, content: Buffer.from(await this.store.getBytes(file.objectKey)) });
    }
    return files;
  }

  /** @throws ToolCallError if the input does not exist */
  private async inputOf({ tenantId, sessionId }: TaskContext, name: string): Promise<SessionFile> {
    const file = await this.files.find(tenantId, sessionId, 'inputs', name);
    if (!file) throw new ToolCallError('not_found', phrase('tool_error.no_file', { name }));
    return file;
  }

  /** @throws ToolCallError if the input does not exist or is too large */
  private async bytesOf(context: TaskContext, name: string): Promise<Uint8Array> {
    const file = await this.inputOf(context, name);
    if (file.size > MAX_INPUT_BYTES)
      throw new ToolCallError('too_large', phrase('tool_error.input_too_large', { name, max: 64 }));
    return this.store.getBytes(file.objectKey);
  }

  private async search({ tenantId }: TaskContext, query: string, given: string[] | undefined, k: number) {
    const all = () => this.collections.page(tenantId, {}, { take: MAX_COLLECTIONS });
    const collections = given ?? (await all()).map(({ id }) => id);
    if (collections.length === 0) return [];
    try {
      return (await search(this.db, tenantId, { collections, query, k }, this.semantic)).hits;
    } catch (error) {
      if (error instanceof ProblemError) throw new ToolCallError(error.code, error.phrase ?? error.detail);
      throw error;
    }
  }

  private async keepFile(
    { tenantId, sessionId, runId, taskId }: TaskContext,
    { name, format, bytes }: { name: string; format: string; bytes: Uint8Array },
  ): Promise<{ exportId: string }> {
    const objectKey = sessionKey(tenantId, sessionId, 'exports', `${taskId}.${format}`);
    const { size, sha256 } = await this.store.put(objectKey, bytes);
    const file = { sessionId, runId, effectKey: taskId, name, format, objectKey, size, sha256 };
    return { exportId: await this.exports.add(tenantId, file) };
  }

  /** Pictures are files that the plan has written so far, or files of the session. */
  private async convert(
    context: TaskContext,
    { markdown, format, title }: { markdown: string; format: 'docx' | 'pdf' | 'epub'; title: string | null },
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { tenantId, sessionId, runId } = context;
    const read = await this.converter.structure(markdown, signal);
    const { structure, images } = await sessionImages(this.files, this.store, context, read, {
      readWritten: async () => (await this.exports.ofRuns(tenantId, sessionId, [runId])).reverse(),
    });
    const resolveAsset = (ref: string) => Promise.resolve(images.get(ref) ?? null);
    const options = title === null ? {} : { title };
    if (format === 'epub') {
      const { writeEpub } = await import('#office/epub/write.js');
      return writeEpub(structure, resolveAsset, { title: title ?? 'Document' });
    }
    const { docx } = await this.converter.convert({ structure }, resolveAsset, { ...options, signal });
    if (format === 'docx') return docx;
    const { writePdf } = await import('#office/pdf/write.js');
    return (await writePdf({ docx, structure, resolveAsset }, options)).bytes;
  }
}
