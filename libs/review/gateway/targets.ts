import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { sha256 } from '#contracts/sha256.js';
import { ExportRepository } from '#db/repositories/exports.js';
import type { Run } from '#db/repositories/runs.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
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

/** Results with the text of an article: one that was written, and one whose style was reviewed. */
const ARTICLES = ['article', 'corrected'];

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

  /**
   * Replaces a text.
   *
   * @param expected what the text must be: the one that was sent, or the one that this review made before
   * @throws ProblemError `changed_meanwhile` for another text; `no_manuscript`, `file_in_use`, `not_found`
   */
  async replace(target: ReviewTarget, expected: string[], to: string): Promise<void> {
    const { tenantId, sessionId, runId, exporter, chapterId } = target;
    if (chapterId !== null) {
      const { content: from } = await this.chapters.read(tenantId, chapterId);
      if (from === to) return;
      if (!expected.includes(from))
        throw new ProblemError('changed_meanwhile', phrase('changed_meanwhile.chapter'));
      return this.chapters.replace(tenantId, chapterId, { from, to, runId });
    }
    const manuscripts = new ManuscriptStore(this.store, tenantId, sessionId);
    if (exporter === null)
      return this.exchange(target, ['manuscript'], {
        isExpected: async (key) => expected.includes(await manuscripts.read(key)),
        to: (await manuscripts.replace(to)).pointer,
      });
    const key = sessionKey(tenantId, sessionId, 'results', `article-${sha256(to)}.md`);
    await this.store.put(key, Buffer.from(to), { contentType: 'text/markdown; charset=utf-8' });
    const read = async (from: string) => Buffer.from(await this.store.getBytes(from)).toString('utf8');
    const isExpected = async (from: string) => expected.includes(await read(from));
    return this.exchange(target, ARTICLES, { isExpected, to: key });
  }

  /** Starts the run that writes the new Word file, as the reviewed one was written. */
  export(tenantId: string, sessionId: string, exporter: Run | null, given?: string) {
    if (exporter === null) return this.exports.start(tenantId, sessionId, {}, given);
    const { kind, mode, inputs } = exporter;
    const run = { session_id: sessionId, kind, mode: mode ?? undefined, ...AT_ONCE };
    const options = { ...(inputs as object), formats: ['docx'] };
    return this.runs.start(tenantId, { ...run, inputs: options }, given);
  }

  /** Points the newest of results at another object, if its text is an expected one. */
  private async exchange(
    { tenantId, sessionId, exporter }: ReviewTarget,
    names: string[],
    { isExpected, to }: { isExpected: (key: string) => Promise<boolean>; to: string },
  ): Promise<void> {
    const kind = exporter?.kind ?? 'document';
    const all = (await this.results.list(tenantId, sessionId)).filter(
      (result) => result.kind === kind && names.includes(result.name),
    );
    if (all.length === 0) throw new ProblemError('no_manuscript', phrase('no_manuscript.not_started'));
    for (const { name, objectKey: from, runId } of all) {
      if (from === to) return;
      if (!(await isExpected(from))) continue;
      if (await this.results.exchange(tenantId, { sessionId, runId }, [{ name, from, to }], true)) return;
      throw new ProblemError('file_in_use', phrase('file_in_use.active_run'));
    }
    throw new ProblemError('changed_meanwhile', phrase('changed_meanwhile.text'));
  }
}
