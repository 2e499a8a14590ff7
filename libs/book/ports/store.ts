import { factSchema } from '#contracts/facts.js';
import { chapterOutlineSchema } from '../contract/outline.js';
import { llmRuntimeSchema, userConceptSchema, type LlmRuntime } from '../contract/profile.js';
import { chapterCitationSchema, chapterReviewSchema } from '../contract/review.js';
import type { Database } from '#db/client.js';
import { BookChapterRepository } from '../store/chapters.js';
import { BookRepository, type BookProgress, type BookProject } from '../store/projects.js';
import type { BookSnapshot, BookStore, ChapterResult, ChapterText } from '../graph/ports.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import { z } from 'zod';

/** Returns whether a version's draft was compiled by rules, not written by a model. */
function isCompiled(review: unknown): boolean {
  const { data } = chapterReviewSchema.safeParse(review);
  return data?.fallback_stages.includes('draft_chapter') ?? false;
}

const decisionsSchema = z.array(z.object({ accepted: z.boolean(), reason: z.string().nullable() }));

/** Database-backed book of a run's session. */
export class SessionBook implements BookStore {
  private readonly books: BookRepository;
  private readonly chapters: BookChapterRepository;

  constructor(
    db: Database,
    private readonly run: HeldRun,
  ) {
    this.books = new BookRepository(db);
    this.chapters = new BookChapterRepository(db);
  }

  async load(): Promise<BookSnapshot> {
    const project = await this.project();
    const { profile } = userConceptSchema.parse(project.userConcept);
    const runtime = llmRuntimeSchema.parse(project.llmRuntime);
    const rows = await this.chapters.list(this.run.tenantId, project.id);
    return {
      id: project.id,
      title: project.title,
      profile,
      synopsis: runtime.synopsis ?? '',
      isStopping: runtime.stop_run_id === this.run.id,
      chapters: rows.map(({ id, number, title, status, version, summary, outline }) => ({
        id,
        number,
        title,
        status,
        version,
        summary,
        outline: chapterOutlineSchema.parse(outline),
      })),
    };
  }

  async texts(): Promise<ChapterText[]> {
    const { id } = await this.project();
    const rows = new Map((await this.chapters.list(this.run.tenantId, id)).map((row) => [row.id, row]));
    const versions = await this.chapters.currentVersions(this.run.tenantId, id);
    return versions.flatMap(({ chapterId, content, facts, citations, origin, review }) => {
      const row = rows.get(chapterId);
      if (!row) return [];
      return {
        chapter_id: chapterId,
        number: row.number,
        title: row.title,
        accepted: row.status === 'accepted',
        byModel: origin === 'run' && !isCompiled(review),
        content,
        facts: z.array(factSchema).parse(facts),
        citations: z.array(chapterCitationSchema).parse(citations),
      };
    });
  }

  async rejections(chapterId: string): Promise<string[]> {
    const chapter = await this.chapters.find(this.run.tenantId, chapterId);
    const version = chapter && (await this.chapters.version(this.run.tenantId, chapterId, chapter.version));
    const decisions = decisionsSchema.safeParse(version?.decisions ?? []);
    return (decisions.data ?? []).flatMap(({ accepted, reason }) =>
      accepted || reason === null ? [] : [reason],
    );
  }

  saveOutline(
    outline: NonNullable<BookProgress['outline']>,
    runtime: LlmRuntime,
    seed: string,
  ): Promise<void> {
    return this.progress({ outline, runtime, status: 'outlined' }, seed);
  }

  note(runtime: LlmRuntime, status: 'writing' | 'written' | 'exported', seed: string): Promise<void> {
    return this.progress({ runtime, status }, seed);
  }

  async saveChapter({
    chapter_id: id,
    effect_key,
    content,
    summary,
    facts,
    citations,
    review,
  }: ChapterResult) {
    const { tenantId, id: originRun } = this.run;
    const version = {
      origin: 'run' as const,
      originRun,
      effectKey: `${originRun}/${effect_key}`,
      content,
      summary,
      facts,
      citations,
      review,
    };
    const saved = await this.chapters.change(tenantId, id, (before) => {
      if (before.status === 'accepted')
        throw new RunFailure(
          'chapter_accepted',
          `Chapter ${before.number} was accepted during the run and is unchanged.`,
        );
      return { version };
    });
    if (!saved) throw new RunFailure('chapter_gone', 'The chapter was deleted during the run.');
  }

  private async progress(progress: BookProgress, seed: string): Promise<void> {
    const { id } = await this.project();
    const runtime = { ...progress.runtime, last_run_id: this.run.id };
    await this.books.progress(this.run.tenantId, id, { ...progress, runtime }, `${this.run.id}/${seed}`);
  }

  private async project(): Promise<BookProject> {
    const project = await this.books.ofSession(this.run.tenantId, this.run.sessionId);
    if (!project)
      throw new RunFailure(
        'no_book',
        'The session does not belong to a book. Start the run with the project_id of a book.',
      );
    return project;
  }
}
