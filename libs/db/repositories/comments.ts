import type { Database } from '../client.js';
import type { Comment } from '../generated/client.js';
import { type PageRequest, pageByTime, type TimePosition } from '../page.js';

export type { Comment };
export type NewComment = Omit<Comment, 'createdAt' | 'resolvedAt'>;

/** Which comments of a session are listed. */
export interface CommentFilter {
  of?: string | undefined;
  chapter_id?: string | undefined;
}

/** What people say about the texts of sessions. */
export class CommentRepository {
  constructor(private readonly db: Database) {}

  /** Adds a comment and returns it, or the one that has its ID. @returns null if its chapter is not of the session */
  async add(comment: NewComment): Promise<Comment | null> {
    const { id, tenantId, sessionId, chapterId } = comment;
    const book = { tenantId, project: { sessionId } };
    if (chapterId !== null && (await this.db.bookChapter.count({ where: { id: chapterId, ...book } })) === 0)
      return null;
    await this.db.comment.createMany({ data: [comment], skipDuplicates: true });
    return this.find(tenantId, sessionId, id);
  }

  find(tenantId: string, sessionId: string, id: string): Promise<Comment | null> {
    return this.db.comment.findFirst({ where: { id, tenantId, sessionId } });
  }

  /** Returns a page of a session's comments, newest first. */
  page(
    tenantId: string,
    sessionId: string,
    { of, chapter_id: chapterId }: CommentFilter,
    request: PageRequest<TimePosition>,
  ): Promise<Comment[]> {
    const asked = { tenantId, sessionId, ...(of && { of }), ...(chapterId && { chapterId }) };
    const { where, ...page } = pageByTime(request, 'desc');
    return this.db.comment.findMany({ where: { AND: [asked, where] }, ...page });
  }

  /**
   * Returns the comments of the open threads of texts, oldest first.
   *
   * @param texts the chapters of a book, or an article, whose ID is null; null for a document
   */
  openOf(
    tenantId: string,
    sessionId: string,
    texts: readonly { chapter_id: string | null }[] | null,
  ): Promise<Comment[]> {
    const chapters = texts?.flatMap(({ chapter_id: id }) => id ?? []) ?? [];
    const isOf =
      chapters.length > 0 ? { chapterId: { in: chapters } } : { of: texts === null ? 'document' : 'article' };
    const isOpen = { OR: [{ replyTo: null, resolvedAt: null }, { thread: { resolvedAt: null } }] };
    return this.db.comment.findMany({
      where: { tenantId, sessionId, ...isOf, ...isOpen },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  }

  /** Returns the comment that was sent in a Word file with this author and time, or null. */
  async findSent(
    tenantId: string,
    sessionId: string,
    { author, date }: { author: string; date: string | null },
  ): Promise<Comment | null> {
    const createdAt = new Date(date ?? NaN);
    if (Number.isNaN(createdAt.getTime())) return null;
    return this.db.comment.findFirst({ where: { tenantId, sessionId, author, createdAt } });
  }

  /** Resolves a thread, or opens it again. @returns whether there is such a comment */
  async resolve(tenantId: string, sessionId: string, id: string, isResolved: boolean): Promise<boolean> {
    const resolvedAt = isResolved ? new Date() : null;
    const { count } = await this.db.comment.updateMany({
      where: { id, tenantId, sessionId, replyTo: null },
      data: { resolvedAt },
    });
    return count > 0;
  }

  /** Deletes a comment with its replies. @returns whether there was one */
  async remove(tenantId: string, sessionId: string, id: string): Promise<boolean> {
    const { count } = await this.db.comment.deleteMany({ where: { id, tenantId, sessionId } });
    return count > 0;
  }
}
