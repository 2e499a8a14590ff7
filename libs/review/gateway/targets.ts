import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { sha256 } from '#contracts/sha256.js';
import { ExportRepository } from '#db/repositories/exports.js';
import type { Run } from '#db/repositories/runs.js';
import { type CurrentResult, SessionResultRepository } from '#db/repositories/session-results.js';
import { ChangeableChapters, DocumentExports } from '#gateway/runs/feature-ports.js';
import { AT_ONCE, RunsService } from '#gateway/runs/runs.service.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import { ManuscriptStore } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { Inject, Injectable } from '@nestjs/common';

/** A reviewed text. */
interface ReviewTarget {
  tenantId: string;
  sessionId: string;
  /** The review. */
  runId: string;
  /** Run that exported the book or the article; null for a document. */
  exporter: Run | null;
  /** Chapter of a book; null for other texts. */
  chapterId: string | null;
}

/** A text to replace. */
export interface Replacement {
  target: ReviewTarget;
  /** What the text must be: the one that was sent, or the one that this review made before. */
  expected: string[];
  to: string;
}

/** Mode of runs that write files. */
const EXPORT = 'export';

/** The texts that Word files show: documents, articles and chapters of books. */
@Injectable()
export class ReviewTargets {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly results: SessionResultRepository,
    private readonly files: ExportRepository,
    private readonly chapters: ChangeableChapters,
    private readonly exports: DocumentExports,
    private readonly runs: RunsService,
  ) {}

  /** Returns whether a session has texts that a Word file can show. */
  async exist(tenantId: string, sessionId: string): Promise<boolean> {
    if (await this.results.find(tenantId, sessionId, 'manuscript', 'document')) return true;
    return (await this.files.list(tenantId, sessionId)).some(({ textKey }) => textKey !== null);
  }

  /** Requires that each chapter can be replaced, before the first one is. @throws ProblemError as `replace` */
  async requireExpected(replacements: readonly Replacement[]): Promise<void> {
    for (const replacement of replacements) await this.chapterBefore(replacement);
  }

  /** Returns the text of the chapter to replace; null if it is replaced, or for other texts. @throws ProblemError as `replace` */
  private async chapterBefore({ target, expected, to }: Replacement): Promise<string | null> {
    if (target.chapterId === null) return null;
    const { content } = await this.chapters
      .read(target.tenantId, target.chapterId)
      .catch((error: unknown) => {
        if (!(error instanceof ProblemError && error.code === 'not_found')) throw error;
        throw new ProblemError('changed_meanwhile', phrase('changed_meanwhile.chapter_deleted'));
      });
    if (content === to) return null;
    if (!expected.includes(content))
      throw new ProblemError('changed_meanwhile', phrase('changed_meanwhile.chapter'));
    return content;
  }

  /**
   * Replaces a text; one that was given to its export is stored nowhere else.
   *
   * @throws ProblemError `changed_meanwhile` for another text or a deleted chapter; `no_manuscript`, `file_in_use`, `not_found`
   */
  async replace(replacement: Replacement): Promise<void> {
    const { target, expected, to } = replacement;
    const { tenantId, sessionId, runId, exporter, chapterId } = target;
    if (chapterId !== null) {
      const from = await this.chapterBefore(replacement);
      if (from === null) return;
      return this.chapters.replace(tenantId, chapterId, { from, to, runId });
    }
    const manuscripts = new ManuscriptStore(this.store, tenantId, sessionId);
    if (exporter === null)
      return this.exchange(target, await this.results.find(tenantId, sessionId, 'manuscript', 'document'), {
        isExpected: async (key) => expected.includes(await manuscripts.read(key)),
        to: (await manuscripts.replace(to)).pointer,
      });
    if (givenText(exporter) !== undefined) return;
    const key = sessionKey(tenantId, sessionId, 'results', `article-${sha256(to)}.md`);
    await this.store.put(key, Buffer.from(to), { contentType: 'text/markdown; charset=utf-8' });
    const read = async (from: string) => Buffer.from(await this.store.getBytes(from)).toString('utf8');
    const isExpected = async (from: string) => expected.includes(await read(from));
    const approved = await this.results.approvedArticle(tenantId, sessionId);
    return this.exchange(target, approved?.text ?? null, { isExpected, to: key });
  }

  /**
   * Starts the run that writes the new Word file, as the reviewed one was written.
   *
   * @param text replaces the one that was given to the export
   */
  export(
    { tenantId, sessionId, exporter }: Pick<ReviewTarget, 'tenantId' | 'sessionId' | 'exporter'>,
    text?: string,
    given?: string,
  ) {
    if (exporter === null) return this.exports.start(tenantId, sessionId, {}, given);
    const { kind, mode } = exporter;
    const run = { session_id: sessionId, kind, mode: EXPORT, ...AT_ONCE };
    const options = {
      // A copied file belongs to the run that continues in the copy, which may do anything.
      ...(mode === EXPORT && (exporter.inputs as object)),
      proposals: undefined,
      ...(text !== undefined && givenText(exporter) !== undefined && { user_text: text }),
      formats: ['docx'],
    };
    return this.runs.start(tenantId, { ...run, inputs: options }, given);
  }

  /** Points a result at another object, if its text is an expected one. */
  private async exchange(
    { tenantId, sessionId }: ReviewTarget,
    result: CurrentResult | null,
    { isExpected, to }: { isExpected: (key: string) => Promise<boolean>; to: string },
  ): Promise<void> {
    if (!result) throw new ProblemError('no_manuscript', phrase('no_manuscript.not_started'));
    const { name, objectKey: from, runId } = result;
    if (from === to) return;
    if (!(await isExpected(from)))
      throw new ProblemError('changed_meanwhile', phrase('changed_meanwhile.text'));
    if (!(await this.results.exchange(tenantId, { sessionId, runId }, [{ name, from, to }], true)))
      throw new ProblemError('file_in_use', phrase('file_in_use.active_run'));
  }
}

/** Returns the text that an export was given; undefined if it wrote the stored ones. */
function givenText({ mode, inputs }: Run): string | undefined {
  const { user_text: text = '' } = inputs as { user_text?: string };
  return mode === EXPORT && text.trim() !== '' ? text : undefined;
}
