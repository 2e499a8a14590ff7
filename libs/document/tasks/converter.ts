import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { CommentRepository } from '#db/repositories/comments.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { ProposalRepository } from '#db/repositories/proposals.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { ConversionPool } from '#kit/conversion/conversion-pool.js';
import { TrackedChanges } from '#kit/conversion/tracked-changes.js';
import { WordTemplates } from '#kit/conversion/word-templates.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import type { WorkerTasks } from '#kit/runtime/worker-app.js';
import type { TaskInput, TaskOutput } from '#catalogue/tasks.js';
import type { Structure } from '#contracts/structure.js';
import { translatorFor, type Translate } from '#contracts/phrases/translator.js';
import { PAGE_COUNT, settingsOf } from '#office/docx/write/options.js';
import { buildStructure } from '#office/structure/build.js';
import { coverageAppendix } from '#verbatim/report/appendix.js';
import { formatPercent, percentPhrase } from '#verbatim/report/coverage.js';
import { ledgerSchema, type Ledger } from '#verbatim/ledger.js';
import { isFirstPage } from '#verbatim/own-lines/vocabulary.js';
import {
  TaskHandler,
  type TaskContext,
  type TaskHandlerOf,
  TaskFailure,
} from '#engine/queue/task-handler.js';
import { STORE, DATABASE } from '#kit/runtime/infrastructure.module.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import { sha256 as digestOf } from '#contracts/sha256.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { fileNameFor } from '#kit/conversion/publisher.js';
import { sessionImages } from '#kit/conversion/session-images.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { BUSY_STRETCH } from '#kit/runtime/computing-limit.js';
import { largestSource } from '#kit/runtime/largest-source.js';
import { ownMemory } from '#contracts/moved-bytes.js';
import { SourceTexts, storeLedger } from '#kit/runtime/source-texts.js';
import { ThreadPool } from '#kit/runtime/thread-pool.js';
import { WorkLimitError } from '#kit/runtime/work-pool.js';
import type { MissingText } from '#verbatim/word/missing-text.js';
import { CONVERTER_MB } from '#config/memory.js';
import { sourceStarts } from './source-starts.js';
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
class QualityCheckHandler implements TaskHandlerOf<'quality_check'>, OnApplicationShutdown {
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
    const structure = await this.store.getBytes(input.structure_json_path);
    const docx = await this.store.getBytes(input.output_docx_path);
    const checking = this.pool.run(context, (pool) => pool.check(structure, docx, context.signal));
    // Both read the file, each in a separate thread; one after the other if it is so large that two need too much memory.
    if (docx.length > MAX_READ_TWICE_BYTES) await checking;
    const [differences, { missing, traced }] = await Promise.all([
      checking,
      this.trace(input, docx, context),
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
    { ledger_path, structure_json_path, sources = [], manuscript }: TaskInput<'quality_check'>,
    docx: Uint8Array,
    { tenantId, sessionId, signal }: TaskContext,
  ): Promise<TraceResult> {
    if (ledger_path == null) return { missing: [], traced: null };
    const manuscripts = new ManuscriptStore(this.store, tenantId, sessionId);
    const work: TraceWork = {
      docx,
      structure: await this.store.getBytes(structure_json_path),
      ledger: await this.store.getBytes(ledger_path),
      sources: await this.sources.read(tenantId, sessionId, sources),
      manuscript: manuscript === undefined ? null : await manuscripts.readBytes(manuscript),
    };
    const texts = [work.structure, work.ledger, work.manuscript, ...work.sources.map(({ bytes }) => bytes)];
    const memory = ownMemory(texts);
    try {
      return await this.threads.run<TraceResult>(WORKER, work, LIMIT_MS, signal, memory);
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
}

function missingIssue({ source, line, missing }: MissingText): Issue {
  const quote = missing.length > 80 ? `${missing.slice(0, 80)}…` : missing;
  return {
    rule: 'sources',
    message: `${source} line ${line}: the Word file does not show ${JSON.stringify(quote)}`,
    source_line: null,
  };
}

async function readLedger(store: ObjectStore, path: string | null): Promise<Ledger | null> {
  if (path === null) return null;
  return ledgerSchema.parse(JSON.parse(Buffer.from(await store.getBytes(path)).toString('utf8')));
}

/** Returns the beginning of a manuscript, to which its first page belongs; the whole text of a large one would need much memory. */
const beginningOf = (markdown: Uint8Array): string =>
  Buffer.from(markdown.subarray(0, FIRST_PAGE_BYTES)).toString('utf8');
const FIRST_PAGE_BYTES = 256 * 1024;

/** Returns the title of a text, which is not named after its first page. */
const titleOf = ({ title, headings }: Structure): string | null =>
  isFirstPage(title ?? '')
    ? (headings.find(({ level, text }) => level === 1 && !isFirstPage(text))?.text ?? null)
    : title;

/** D24: converts a manuscript to structure.json. */
@Injectable()
@TaskHandler('parse_to_json')
class ParseToJsonHandler implements TaskHandlerOf<'parse_to_json'> {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly pool: ConversionPool,
  ) {}

  async handle(
    input: TaskInput<'parse_to_json'>,
    context: TaskContext,
  ): Promise<TaskOutput<'parse_to_json'>> {
    const { tenantId, sessionId, taskId } = context;
    const markdown = await new ManuscriptStore(this.store, tenantId, sessionId).readBytes(input.manuscript);
    const ledger = await readLedger(this.store, input.ledger_path ?? null);
    const structure = await this.pool.run(context, (pool) =>
      pool.structureJson(markdown, context.signal, ledger ? sourceStarts(ledger, beginningOf(markdown)) : []),
    );
    const key = sessionKey(tenantId, sessionId, 'structure', `${taskId}.json`);
    await this.store.put(key, structure, { contentType: 'application/json' });
    return { structure_json_path: key };
  }
}

/** Returns what the title page says of the sources: the time they span, their number, and the coverage (65.6). */
function coverFacts({ span, files, coverage }: Ledger, language: string, translate: Translate): string[] {
  const days = new Intl.DateTimeFormat(language.split('-')[0], { dateStyle: 'long', timeZone: 'UTC' });
  const dates = span && days.formatRange(new Date(span.first), new Date(span.last));
  const numbers = { files: files.length, pages: PAGE_COUNT, coverage: percentPhrase(coverage) };
  return [
    ...(dates ? [translate(phrase('cover.span', { dates }))] : []),
    translate(phrase('cover.counts', numbers)),
  ];
}

/** Minimum number of pages of a text that gets a title page and a table of contents. */
const FRONT_FROM_PAGES = 3;
const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** D24: writes structure.json as DOCX, stored as an export of the session. */
@Injectable()
@TaskHandler('convert')
class ConvertHandler implements TaskHandlerOf<'convert'> {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly pool: ConversionPool,
    private readonly files: SessionFileRepository,
    private readonly exports: ExportRepository,
    private readonly tracked: TrackedChanges,
    private readonly keys: ApiKeyRepository,
    private readonly templates: WordTemplates,
  ) {}

  async handle(input: TaskInput<'convert'>, context: TaskContext): Promise<TaskOutput<'convert'>> {
    const { tenantId, sessionId, taskId, runId } = context;
    const json = await this.store.getBytes(input.structure_json_path);
    // The thread checks it.
    const parsed = JSON.parse(Buffer.from(json).toString('utf8')) as Structure;
    const language = input.language === null ? {} : { language: input.language };
    const ledger = await readLedger(this.store, input.ledger_path);
    const { language: shown } = settingsOf(parsed, language);
    const translate = await translatorFor(shown);
    const appendix = await this.appendix(input, tenantId, ledger, translate);
    const title = input.title ?? titleOf(parsed) ?? 'Document';
    const { structure, images } = await sessionImages(this.files, this.store, context, parsed, {
      decisions: input.user_decisions,
      readLedger: () => Promise.resolve(ledger),
    });
    const properties = {
      'Written by': input.author,
      'Source coverage':
        input.coverage === null ? 'not measured' : `${formatPercent(input.coverage)} accounted for`,
    };
    const manuscripts = new ManuscriptStore(this.store, tenantId, sessionId);
    const manuscript = digestOf(await manuscripts.readBytes(input.manuscript));
    const options = {
      title,
      toc: true,
      cover: true,
      facts: ledger ? coverFacts(ledger, shown, translate) : [],
      frontFromPages: FRONT_FROM_PAGES,
      codeColors: input.code_colors ?? false,
      lineNumbers: input.line_numbers ?? false,
      ...(input.list_of_figures !== undefined && { listOfFigures: input.list_of_figures }),
      ...(input.proposals && { proposals: input.proposals }),
      properties,
      manuscript,
      ...(appendix ? { appendix } : {}),
      ...(await this.templates.optionOf(context)),
      ...language,
    };
    const resolve = async (ref: string) => images.get(ref) ?? null;
    const { docx } = await this.pool.run(context, (pool) =>
      pool.convert({ structure: structure === parsed ? json : structure }, resolve, {
        ...options,
        signal: context.signal,
      }),
    );
    const put = async (name: string, bytes: Uint8Array) => {
      const objectKey = sessionKey(tenantId, sessionId, 'exports', `${taskId}${name}`);
      const { size, sha256 } = await this.store.put(objectKey, bytes, { contentType: DOCX_TYPE });
      return { name: `${fileNameFor(title)}${name}`, objectKey, size, sha256 };
    };
    const written = await put('.docx', docx);
    const track = async () => {
      const manuscript = await manuscripts.read(input.manuscript);
      return this.tracked.write({ docx, manuscript, texts: null }, context);
    };
    // The file without the proposals is checked: the other one shows it if all are rejected.
    const file = input.proposals ? await put('.tracked.docx', await track()) : written;
    const of = { ...file, sessionId, runId, effectKey: taskId, format: 'docx', manuscript };
    const export_id = await this.exports.add(tenantId, of);
    return { output_docx_path: written.objectKey, export_id, bytes: file.size };
  }

  /** Returns the appendix if it is requested, or if a person accepted issues, which the appendix must list. */
  private async appendix(
    { source_appendix, acceptances = [] }: TaskInput<'convert'>,
    tenantId: string,
    ledger: Ledger | null,
    translate: Translate,
  ) {
    if (ledger === null || (!source_appendix && acceptances.length === 0)) return null;
    const named = await Promise.all(
      acceptances.map(async (acceptance) => ({
        ...acceptance,
        name: await this.keys.nameOf(tenantId, acceptance.by),
      })),
    );
    const { title, markdown } = coverageAppendix(ledger, named, translate);
    return { title, blocks: buildStructure(markdown).blocks };
  }
}

export const converterTasks: WorkerTasks = {
  handlers: [ParseToJsonHandler, ConvertHandler, QualityCheckHandler],
  services: [
    ...provideRepositories(
      SessionFileRepository,
      ExportRepository,
      ProposalRepository,
      CommentRepository,
      ApiKeyRepository,
    ),
    ConversionPool,
    TrackedChanges,
    WordTemplates,
  ],
};
