import { phrase } from '#contracts/phrases/phrase.js';
import { factSchema } from '#contracts/facts.js';
import { chapterOutlineSchema } from '../contract/outline.js';
import { llmRuntimeSchema, userConceptSchema, type LlmRuntime } from '../contract/profile.js';
import { chapterCitationSchema, chapterReviewSchema } from '../contract/review.js';
import type { OverruledFinding } from '#contracts/findings.js';
import type { Database } from '#db/client.js';
import { OverruledFindingRepository } from '#db/repositories/overruled-findings.js';
import { summaryOf } from '#writing/sentences.js';
import { BookChapterRepository, copyOf, keptParagraphs, type NewVersion } from '../store/chapters.js';
import { BookRepository, type BookProgress, type BookProject } from '../store/projects.js';
import type { BookSnapshot, BookStore, ChapterResult, PresentText } from '../graph/ports.js';
import type { ChapterText } from '../graph/texts.js';
import { rejectionsOf } from '../graph/steering.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import { acceptedParagraphs, newParagraphs, type Decided } from '../versions/kept-paragraphs.js';
import { z } from 'zod';

/** Returns whether a version's draft was compiled by rules, not written by a model. */
function isCompiled(review: unknown): boolean {
  const { data } = chapterReviewSchema.safeParse(review);
  return data?.fallback_stages.includes('draft_chapter') ?? false;
}

const decisionsSchema = z.array(
  z.object({ change_id: z.string(), accepted: z.boolean(), reason: z.string().nullable() }),
);

/** Returns the paragraphs that a person wrote or accepted in a version of an older release, which stored none. */
const keptOfOlderVersion = (content: string, origin: string, decided: Decided): string[] =>
  origin === 'person' ? newParagraphs(decided.revised, content) : acceptedParagraphs(content, decided);

/** Database-backed book of a run's session. */
export class SessionBook implements BookStore {
  private readonly books: BookRepository;
  private readonly chapters: BookChapterRepository;
  private readonly rulings: OverruledFindingRepository;

  constructor(
    db: Database,
    private readonly run: HeldRun,
  ) {
    this.books = new BookRepository(db);
    this.chapters = new BookChapterRepository(db);
    this.rulings = new OverruledFindingRepository(db);
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

  async present(chapterId: string, number?: number): Promise<PresentText | null> {
    const { tenantId } = this.run;
    const chapter = await this.chapters.find(tenantId, chapterId);
    const read = (number: number) => this.chapters.version(tenantId, chapterId, number);
    const wanted = number ?? chapter?.version ?? 0;
    const version = wanted > 0 ? await read(wanted) : null;
    if (!version) return null;
    const [before, older] = [await read(version.number - 1), await read(version.number - 2)];
    const decisions = decisionsSchema.safeParse(version.decisions ?? []).data ?? [];
    const decided = { decisions, base: older?.content ?? '', revised: before?.content ?? '' };
    const { content, origin } = version;
    return {
      version: version.number,
      content,
      review: chapterReviewSchema.nullable().parse(version.review),
      byPerson: origin !== 'run',
      rejections: rejectionsOf(decided),
      kept: keptParagraphs(version) ?? keptOfOlderVersion(content, origin, decided),
      citations: z.array(chapterCitationSchema).parse(version.citations),
    };
  }

  overruled(): Promise<OverruledFinding[]> {
    return this.rulings.list(this.run.tenantId, [this.run.sessionId]);
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
    kept,
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
      kept,
    };
    const saved = await this.chapters.change(tenantId, id, (before) => {
      if (before.status === 'accepted')
        throw new RunFailure(
          'chapter_accepted',
          phrase('run_error.chapter_accepted', { number: before.number }),
        );
      return { version };
    });
    const number = saved && (await this.chapters.numberOf(tenantId, version.effectKey));
    if (number === null) throw new RunFailure('chapter_gone', phrase('run_error.chapter_gone'));
    return number;
  }

  async keepVersion(chapterId: string, number: number, effectKey: string): Promise<void> {
    const { tenantId, id } = this.run;
    const kept = await this.chapters.version(tenantId, chapterId, number);
    if (!kept) throw new RunFailure('chapter_gone', phrase('run_error.chapter_gone'));
    const { origin, originRun, content } = kept;
    const version = {
      ...copyOf(kept),
      origin: origin as NewVersion['origin'],
      ...(originRun === null ? {} : { originRun }),
      effectKey: `${id}/${effectKey}`,
      summary: summaryOf(content),
    };
    await this.chapters.change(tenantId, chapterId, () => ({ version }));
  }

  private async progress(progress: BookProgress, seed: string): Promise<void> {
    const { id } = await this.project();
    const runtime = { ...progress.runtime, last_run_id: this.run.id };
    await this.books.progress(this.run.tenantId, id, { ...progress, runtime }, `${this.run.id}/${seed}`);
  }

  private async project(): Promise<BookProject> {
    const project = await this.books.ofSession(this.run.tenantId, this.run.sessionId);
    if (!project) throw new RunFailure('no_book', phrase('run_error.no_book'));
    return project;
  }
}
