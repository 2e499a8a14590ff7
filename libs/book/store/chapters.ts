import type { ChapterStatus } from '../contract/schemas.js';
import { derivedId } from '#contracts/ids.js';
import type { ChapterOutline, ChapterOutlineChanges } from '../contract/outline.js';
import { MAX_CHAPTERS } from '../contract/profile.js';
import { chapterReviewSchema } from '../contract/review.js';
import type { FindingChanges } from '#contracts/findings.js';
import type { Database } from '#db/client.js';
import type { BookChapter, BookChapterVersion, Prisma } from '#db/generated/client.js';
import type { PageRequest } from '#db/page.js';
import { OverruledFindingRepository } from '#db/repositories/overruled-findings.js';
import { z } from 'zod';
import { overruledIn } from '../versions/score.js';
import { changedOutline, newChapterRow, numberChapters, orderedChapters, touchBook } from './outline.js';

export type { BookChapter, BookChapterVersion };

type Transaction = Parameters<Parameters<Database['$transaction']>[0]>[0];

/** A new version of a chapter's text, with derived data. */
export interface NewVersion {
  origin: 'run' | 'person' | 'restore' | 'decisions';
  originRun?: string;
  /** Identifies the step or the request; repeating it creates no second version. */
  effectKey: string;
  content: string;
  facts: Prisma.InputJsonValue;
  citations: Prisma.InputJsonValue;
  review?: Prisma.InputJsonValue;
  decisions?: Prisma.InputJsonValue;
  /** IDs of the paragraphs that runs leave as they are. */
  kept: string[] | null;
  summary?: string;
}

export interface ChapterChanges {
  number?: number;
  title?: string;
  summary?: string;
  status?: ChapterStatus;
  outline?: ChapterOutlineChanges;
  /** IDs of kept paragraphs that runs may change again. */
  released?: string[];
  version?: NewVersion;
}

/** Returns the IDs of the paragraphs of a version that runs leave as they are; null for one of an older release. */
export const keptParagraphs = ({ kept }: BookChapterVersion): string[] | null =>
  z.array(z.string()).nullable().parse(kept);

/** Returns the text of a version with its derived data, for a new version. */
export function copyOf(version: BookChapterVersion) {
  const { content, facts, citations, review } = version;
  return {
    content,
    kept: keptParagraphs(version),
    facts: facts as NewVersion['facts'],
    citations: citations as NewVersion['citations'],
    ...(review === null ? {} : { review: review as NonNullable<NewVersion['review']> }),
  };
}

/** Chapters of books and the versions of their texts (B20). */
export class BookChapterRepository {
  constructor(private readonly db: Database) {}

  /** Returns all chapters of a book in order. */
  list(tenantId: string, projectId: string): Promise<BookChapter[]> {
    return orderedChapters(this.db, tenantId, projectId);
  }

  page(tenantId: string, projectId: string, { take, after }: PageRequest<number>): Promise<BookChapter[]> {
    const where = { tenantId, projectId, ...(after === undefined ? {} : { number: { gt: after } }) };
    return this.db.bookChapter.findMany({ where, orderBy: { number: 'asc' }, take });
  }

  /** Returns the review scores of the newest texts, by chapter ID; chapters without a review are omitted. */
  async scores(tenantId: string, chapterIds: string[]): Promise<Map<string, number>> {
    const rows = await this.db.$queryRaw<{ id: string; score: number }[]>`
      SELECT c.id, (v.review->>'score')::float8 AS score
      FROM book_chapters c JOIN book_chapter_versions v ON v.chapter_id = c.id AND v.number = c.version
      WHERE c.tenant_id = ${tenantId} AND c.id = ANY(${chapterIds}) AND v.review->>'score' IS NOT NULL`;
    return new Map(rows.map(({ id, score }) => [id, score]));
  }

  find(tenantId: string, id: string): Promise<BookChapter | null> {
    return this.db.bookChapter.findFirst({ where: { id, tenantId } });
  }

  version(tenantId: string, chapterId: string, number: number): Promise<BookChapterVersion | null> {
    return this.db.bookChapterVersion.findFirst({ where: { tenantId, chapterId, number } });
  }

  /** Returns the number of the version that a step or a request made; null if it made none. */
  async numberOf(tenantId: string, effectKey: string): Promise<number | null> {
    const made = await this.db.bookChapterVersion.findFirst({ where: { tenantId, effectKey } });
    return made?.number ?? null;
  }

  /** Returns the newest version of each chapter with text, in the order of the book. */
  currentVersions(tenantId: string, projectId: string): Promise<BookChapterVersion[]> {
    return this.db.$queryRaw<BookChapterVersion[]>`
      SELECT v.id, v.tenant_id AS "tenantId", v.chapter_id AS "chapterId", v.number, v.origin, v.origin_run AS "originRun",
             v.effect_key AS "effectKey", v.content, v.facts, v.citations, v.review, v.decisions, v.kept, v.created_at AS "createdAt"
      FROM book_chapters c JOIN book_chapter_versions v ON v.chapter_id = c.id AND v.number = c.version
      WHERE c.tenant_id = ${tenantId} AND c.project_id = ${projectId} ORDER BY c.number, c.id`;
  }

  /** Returns a page of a chapter's versions, newest first. */
  versions(
    tenantId: string,
    chapterId: string,
    { take, after }: PageRequest<number>,
  ): Promise<BookChapterVersion[]> {
    const where = { tenantId, chapterId, ...(after === undefined ? {} : { number: { lt: after } }) };
    return this.db.bookChapterVersion.findMany({ where, orderBy: { number: 'desc' }, take });
  }

  /**
   * Adds a chapter at position `number`, by default at the end. Null if the book does not exist; false if it
   * is full.
   */
  create(
    tenantId: string,
    projectId: string,
    id: string,
    chapter: { title: string; outline: ChapterOutline } & ChapterChanges,
  ): Promise<BookChapter | null | false> {
    return this.db.$transaction(async (tx) => {
      if (!(await touchBook(tx, tenantId, projectId))) return null;
      const others = (await orderedChapters(tx, tenantId, projectId)).filter((row) => row.id !== id);
      if (others.length >= MAX_CHAPTERS) return false;
      const row = newChapterRow(tenantId, projectId, id, chapter.title, chapter.outline);
      await tx.bookChapter.createMany({ data: [row], skipDuplicates: true });
      return this.apply(tx, tenantId, id, { number: others.length + 1, ...chapter });
    });
  }

  /**
   * Changes a chapter.
   *
   * @param change returns the changes for the locked chapter, or null to leave it unchanged
   * @returns null if the chapter does not exist or was left unchanged
   */
  async change(
    tenantId: string,
    id: string,
    change: (before: BookChapter) => ChapterChanges | null,
  ): Promise<BookChapter | null> {
    return this.withLocked(tenantId, id, async (tx, before) => {
      const changes = change(before);
      return changes ? this.apply(tx, tenantId, id, changes) : null;
    });
  }

  /** Records that a chapter's text is indexed, if `version` is still its newest. */
  async markIndexed(tenantId: string, id: string, version: number): Promise<void> {
    await this.db.bookChapter.updateMany({ where: { tenantId, id, version }, data: { vectorIndexed: true } });
  }

  /** Deletes a chapter and renumbers the following ones; false if it does not exist. */
  async remove(tenantId: string, id: string): Promise<boolean> {
    const found = await this.find(tenantId, id);
    if (!found) return false;
    return this.db.$transaction(async (tx) => {
      await touchBook(tx, tenantId, found.projectId);
      const { count } = await tx.bookChapter.deleteMany({ where: { id, tenantId } });
      const rest = await orderedChapters(tx, tenantId, found.projectId);
      const ids = rest.map((row) => row.id);
      await numberChapters(tx, tenantId, ids);
      return count > 0;
    });
  }

  /**
   * Lets the author say whether a finding of the newest text is wrong, and changes the review accordingly.
   *
   * @param check throws if the locked chapter is not the one that the author saw
   * @returns null if the chapter or the finding does not exist
   */
  async changeFinding(
    tenantId: string,
    id: string,
    findingId: string,
    changes: FindingChanges,
    by: string,
    check: (before: BookChapter) => void,
  ): Promise<BookChapter | null> {
    return this.withLocked(tenantId, id, async (tx, before) => {
      check(before);
      const where = { tenantId, chapterId: id, number: before.version };
      const version = await tx.bookChapterVersion.findFirst({ where });
      const review = chapterReviewSchema.nullable().parse(version?.review ?? null);
      const finding = review?.findings.find((one) => one.id === findingId);
      if (!review || !finding) return null;
      const sessionId = await sessionOf(tx, before);
      await new OverruledFindingRepository(tx).set(tenantId, sessionId, finding, changes, by);
      const data = { review: await reviewed(tx, before, review) };
      await tx.bookChapterVersion.updateMany({ where, data });
      return this.apply(tx, tenantId, id, {});
    });
  }

  /** Does work on a chapter whose book is locked; returns null if the chapter does not exist. */
  private async withLocked(
    tenantId: string,
    id: string,
    work: (tx: Transaction, chapter: BookChapter) => Promise<BookChapter | null>,
  ): Promise<BookChapter | null> {
    const found = await this.find(tenantId, id);
    if (!found) return null;
    return this.db.$transaction(async (tx) => {
      await touchBook(tx, tenantId, found.projectId);
      const chapter = await tx.bookChapter.findFirst({ where: { id, tenantId } });
      return chapter && work(tx, chapter);
    });
  }

  private async apply(
    tx: Transaction,
    tenantId: string,
    id: string,
    changes: ChapterChanges,
  ): Promise<BookChapter> {
    const { number, version, released = [], ...fields } = changes;
    const before = await tx.bookChapter.findFirstOrThrow({ where: { id, tenantId } });
    const added = version ? await this.addVersion(tx, before, version) : null;
    if (number !== undefined) await this.move(tx, before, number);
    if (released.length > 0) await this.release(tx, before, added?.version ?? before.version, released);
    const { title, summary, status, outline } = fields;
    return tx.bookChapter.update({
      where: { id },
      data: {
        ...added,
        ...(title === undefined ? {} : { title }),
        ...(outline === undefined ? {} : { outline: changedOutline(before.outline, outline) }),
        ...(summary === undefined ? {} : { summary }),
        ...(status === undefined ? {} : { status }),
        revision: { increment: 1 },
        updatedAt: new Date(),
      },
    });
  }

  /** @returns the changes to the chapter; null if the version exists already */
  private async addVersion(tx: Transaction, chapter: BookChapter, version: NewVersion) {
    const { summary, originRun, review, decisions, kept, ...fields } = version;
    const { id: chapterId, tenantId } = chapter;
    const last = await tx.bookChapterVersion.findFirst({
      where: { tenantId, chapterId },
      orderBy: { number: 'desc' },
    });
    const number = (last?.number ?? 0) + 1;
    const id = derivedId('chv', `${tenantId}/${version.effectKey}`);
    const row = { id, tenantId, chapterId, number, originRun: originRun ?? null, ...fields };
    const { count } = await tx.bookChapterVersion.createMany({
      data: [
        {
          ...row,
          ...(review ? { review: await reviewed(tx, chapter, review) } : {}),
          ...(decisions ? { decisions } : {}),
          ...(kept ? { kept } : {}),
        },
      ],
      skipDuplicates: true,
    });
    if (count === 0) return null;
    const status = chapter.status === 'accepted' ? 'accepted' : 'written';
    return { version: number, vectorIndexed: false, status, ...(summary === undefined ? {} : { summary }) };
  }

  private async release(
    tx: Transaction,
    { id: chapterId, tenantId }: BookChapter,
    number: number,
    released: string[],
  ): Promise<void> {
    await tx.$executeRaw`
      /* release paragraphs */ UPDATE book_chapter_versions SET kept = kept - ${released}::text[]
      WHERE tenant_id = ${tenantId} AND chapter_id = ${chapterId} AND number = ${number} AND kept IS NOT NULL`;
  }

  private async move(tx: Transaction, chapter: BookChapter, number: number): Promise<void> {
    const all = await orderedChapters(tx, chapter.tenantId, chapter.projectId);
    const ids = all.filter(({ id }) => id !== chapter.id).map(({ id }) => id);
    ids.splice(number - 1, 0, chapter.id);
    await numberChapters(tx, chapter.tenantId, ids);
  }
}

/** Returns a review of a chapter with the present rulings of its author, which may be newer than the review. */
async function reviewed(
  tx: Transaction,
  chapter: BookChapter,
  review: Prisma.InputJsonValue,
): Promise<Prisma.InputJsonValue> {
  const rulings = new OverruledFindingRepository(tx);
  return overruledIn(
    chapterReviewSchema.parse(review),
    await rulings.list(chapter.tenantId, [await sessionOf(tx, chapter)]),
  );
}

async function sessionOf(tx: Transaction, { tenantId, projectId: id }: BookChapter): Promise<string> {
  const where = { tenantId, id };
  return (await tx.bookProject.findFirstOrThrow({ where, select: { sessionId: true } })).sessionId;
}
