import { isCarriedName } from '#contracts/file-kinds.js';
import { englishText, phrase } from '#contracts/phrases/phrase.js';
import type { WorkerSettings } from '#config/settings.js';
import { issueFingerprint, type ValidationIssue } from '#contracts/manuscript.js';
import type { TaskInput, TaskOutput } from '#catalogue/tasks.js';
import type { Database } from '#db/client.js';
import { readable, SessionFileRepository } from '#db/repositories/session-files.js';
import { syntheticIssue } from '#contracts/manuscript.js';
import { TaskHandler, type TaskContext, type TaskHandlerOf } from '#engine/queue/task-handler.js';
import { BUSY_STRETCH } from '#kit/runtime/computing-limit.js';
import { DATABASE, SETTINGS, STORE } from '#kit/runtime/infrastructure.module.js';
import { largestSource } from '#kit/runtime/largest-source.js';
import { ownMemory } from '#contracts/moved-bytes.js';
import type { SourceBytes } from '#verbatim/schema.js';
import { SourceTexts, storeLedger } from '#kit/runtime/source-texts.js';
import { findDepartures } from '../store/written-run.js';
import { ThreadPool } from '#kit/runtime/thread-pool.js';
import { TimeLimitError } from '#kit/runtime/work-pool.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { VALIDATOR_MB } from '#config/memory.js';
import { leftOutFile } from './left-out-file.js';
import type { ValidationResult, ValidationWork } from './validate.worker.js';

/** D26: computing time limit of a validation, in ms. */
const LIMIT_MS = 30_000;
/** Maximum number of issues returned to the agent; the ledger is complete. */
const MAX_ISSUES = 500;
const WORKER = new URL('./validate.worker.js', import.meta.url);

type Output = TaskOutput<'validate_md'>;
/** Files of the session, by folder. */
type Files = Awaited<ReturnType<SessionFileRepository['listAll']>>;

/**
 * D26–D29, X1: lints the manuscript and proves that it carries its sources. A failed validation is a result,
 * never an exception.
 */
@Injectable()
@TaskHandler('validate_md')
export class ValidateMdHandler implements TaskHandlerOf<'validate_md'>, OnApplicationShutdown {
  private readonly sources: SourceTexts;
  private readonly pool: ThreadPool;

  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(STORE) private readonly store: ObjectStore,
    @Inject(SETTINGS) settings: WorkerSettings,
    private readonly files: SessionFileRepository,
  ) {
    this.sources = new SourceTexts(db, store);
    this.pool = new ThreadPool({
      threads: settings.WORKER_THREADS,
      memoryMb: VALIDATOR_MB,
      stretch: BUSY_STRETCH,
    });
  }

  async handle(input: TaskInput<'validate_md'>, context: TaskContext): Promise<Output> {
    const { tenantId, sessionId, signal } = context;
    if (input.manuscript === null)
      return failed(syntheticIssue(phrase('validation.no_manuscript')), input.sources);
    const manuscripts = new ManuscriptStore(this.store, tenantId, sessionId);
    const files = await this.files.listAll(tenantId, sessionId);
    const part = await this.chapterAlone(input, manuscripts, files, context);
    if (part !== null) return part;
    const traced = await this.workOf(
      input,
      await manuscripts.readBytes(input.manuscript),
      input.sources,
      files,
    );
    const departures = await findDepartures(this.db, context);
    const work = { ...traced, departures, sources: [...traced.sources, ...unreadSources(files)] };
    let result: ValidationResult;
    try {
      result = await this.validate(work, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const why = `${messageOf(error)}.${await largestSource(this.db, tenantId, sessionId)}`;
      const what =
        error instanceof TimeLimitError ? phrase('validation.timeout') : phrase('validation.crashed');
      return failed(syntheticIssue(what, why));
    }
    const accepted = new Set(input.accepted_issues);
    const { ledger, page } = result;
    const issues = result.issues.filter(
      (issue) => !accepted.has(issueFingerprint(issue)) && !isSettled(issue, input.settled),
    );
    const passed = issues.length === 0;
    // The conversion and the next rerun read the whole manuscript several times.
    const pointer =
      result.fixed !== null
        ? (await manuscripts.replace(result.fixed)).pointer
        : passed
          ? await manuscripts.joined(input.manuscript)
          : input.manuscript;
    return {
      validation_passed: passed,
      validation_issues: issues.slice(0, MAX_ISSUES),
      coverage: ledger?.coverage ?? null,
      coverage_report: result.coverageReport,
      ledger_path:
        ledger === null ? null : await storeLedger(this.store, context, { ledger, page: page ?? [] }),
      fixed_manuscript: pointer === input.manuscript ? null : pointer,
      // Nothing of a source is carried, but a person accepted that.
      open_sources: passed ? result.open : [...result.open, ...result.uncarried],
    };
  }

  /**
   * Validates only what was added since the last pass: a chapter that starts with its heading, against the
   * new sources. Returns null if something else was added or the chapter fails. Then the whole manuscript is
   * validated, so that line numbers are correct.
   */
  private async chapterAlone(
    input: TaskInput<'validate_md'>,
    manuscripts: ManuscriptStore,
    files: Files,
    context: TaskContext,
  ): Promise<Output | null> {
    const { since, manuscript } = input;
    if (since === undefined || manuscript === null) return null;
    const chapter = await manuscripts.addedSince(manuscript, since.manuscript);
    const sources = input.sources.filter((name) => !since.sources.includes(name));
    if (chapter === null || !startsWithHeading(chapter) || sources.length === 0) return null;
    const work = await this.workOf(input, chapter, sources, files);
    const passed = await this.validate({ ...work, firstPage: undefined, isPart: true }, context.signal).catch(
      (error: unknown) => {
        if (context.signal.aborted) throw error;
        return null;
      },
    );
    if (passed === null || passed.fixed !== null || passed.issues.length > 0) return null;
    return {
      validation_passed: true,
      validation_issues: [],
      coverage: passed.ledger?.coverage ?? null,
      coverage_report: passed.coverageReport,
      ledger_path: null,
      fixed_manuscript: null,
      open_sources: passed.open,
    };
  }

  private async workOf(
    {
      policy,
      has_summary: zones,
      first_page: firstPage,
      user_decisions,
      written,
      unplaced,
    }: TaskInput<'validate_md'>,
    markdown: Uint8Array,
    names: string[],
    files: Files,
  ): Promise<ValidationWork> {
    const sources = await this.sources.readFiles(readable(files), names);
    const fileNames = [...files.inputs, ...files.assets].map(({ name }) => name);
    const decided = Object.keys(user_decisions);
    return {
      markdown,
      sources,
      policy,
      zones,
      firstPage,
      decided,
      fileNames,
      writing: { written, unplaced },
    };
  }

  private validate(work: ValidationWork, signal: AbortSignal): Promise<ValidationResult> {
    const memory = ownMemory([work.markdown, ...work.sources.map(({ bytes }) => bytes)]);
    return this.pool.run<ValidationResult>(WORKER, work, LIMIT_MS, signal, memory);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}

/** Returns whether a text begins with a heading, after a separator. */
const startsWithHeading = (text: Uint8Array): boolean =>
  Buffer.from(text.subarray(0, SEPARATOR_BYTES)).toString().trimStart().startsWith('# ');
const SEPARATOR_BYTES = 100;

/** Returns the inputs that are neither text nor pictures. The ledger names them. */
const unreadSources = ({ inputs }: Files): SourceBytes[] =>
  inputs
    .filter(({ name }) => !isCarriedName(name))
    .map(({ name }) => {
      const reason = phrase('unreadable.other_type', { name });
      return {
        name,
        bytes: new Uint8Array(),
        inventory: leftOutFile({ name, reason: englishText(reason), phrase: reason }),
      };
    });

function isSettled(
  { source_file: file = '', line_number: line }: ValidationIssue,
  { sources, lines }: NonNullable<TaskInput<'validate_md'>['settled']> = { sources: [], lines: [] },
): boolean {
  return sources.includes(file) || lines.some(([first, last]) => first <= line && line <= last);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function failed(issue: ValidationIssue, open: string[] = []): Output {
  return {
    validation_passed: false,
    validation_issues: [issue],
    coverage: null,
    coverage_report: null,
    ledger_path: null,
    fixed_manuscript: null,
    open_sources: open,
  };
}
