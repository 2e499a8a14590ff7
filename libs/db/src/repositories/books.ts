import type { BookStatus } from '#contracts/api/book-schemas.js';
import { derivedId } from '#contracts/ids.js';
import type { OutlineChanges } from '#contracts/kinds/book/outline.js';
import { llmRuntimeSchema, type LlmRuntime, type UserConcept } from '#contracts/kinds/book/profile.js';
import type { Database } from '../client.js';
import type { BookProject } from '../generated/client.js';
import { pageByTime, type PageRequest } from '../page.js';
import { lockBook, syncChapters } from './book-outline.js';

export type { BookProject };

/** What the author changes of a book. */
export interface BookChanges {
  concept?: UserConcept;
  title?: string;
  outline?: OutlineChanges;
}

/** What a run may write to a book: the runtime zone, the outline, the state. There is no way to the author's zone from here (B2). */
export interface BookProgress {
  runtime?: LlmRuntime;
  outline?: OutlineChanges;
  status?: BookStatus;
}

/** Books of tenants (B20). */
export class BookRepository {
  constructor(private readonly db: Database) {}

  /** Makes a book and its session; those of an id are not made twice. */
  create(tenantId: string, id: string, title: string, userConcept: UserConcept): Promise<BookProject> {
    const sessionId = derivedId('ses', id);
    return this.db.$transaction(async (tx) => {
      await tx.session.createMany({ data: [{ id: sessionId, tenantId, title }], skipDuplicates: true });
      const row = { id, tenantId, sessionId, title, status: 'draft', userConcept };
      await tx.bookProject.createMany({ data: [row], skipDuplicates: true });
      return tx.bookProject.findFirstOrThrow({ where: { id, tenantId } });
    });
  }

  find(tenantId: string, id: string): Promise<BookProject | null> {
    return this.db.bookProject.findFirst({ where: { id, tenantId } });
  }

  /** The book whose runs the session holds. */
  ofSession(tenantId: string, sessionId: string): Promise<BookProject | null> {
    return this.db.bookProject.findFirst({ where: { tenantId, sessionId } });
  }

  /** A page of books, newest first. */
  page(tenantId: string, request: PageRequest): Promise<BookProject[]> {
    const { where, ...page } = pageByTime(request, 'desc');
    return this.db.bookProject.findMany({ where: { tenantId, ...where }, ...page });
  }

  /**
   * Changes what is the author's.
   *
   * @param change from the book as it is, which nobody changes meanwhile; null refuses, and nothing is changed
   * @returns null when there is no such book, or the change was refused
   */
  change(
    tenantId: string,
    id: string,
    change: (before: BookProject) => BookChanges | null,
  ): Promise<BookProject | null> {
    return this.db.$transaction(async (tx) => {
      if (!(await lockBook(tx, tenantId, id))) return null;
      const before = await tx.bookProject.findFirstOrThrow({ where: { id, tenantId } });
      const changes = change(before);
      if (changes === null) return null;
      const { concept, title, outline } = changes;
      if (outline) await syncChapters(tx, tenantId, id, outline);
      const synopsis = outline?.synopsis;
      const runtime =
        synopsis === undefined ? {} : { llmRuntime: { ...(before.llmRuntime as object), synopsis } };
      const status = outline && before.status === 'draft' ? { status: 'outlined' } : {};
      if (title !== undefined)
        await tx.session.updateMany({ where: { tenantId, id: before.sessionId }, data: { title } });
      return tx.bookProject.update({
        where: { id },
        data: {
          ...(concept ? { userConcept: concept } : {}),
          ...(title === undefined ? {} : { title }),
          ...runtime,
          ...status,
          revision: { increment: 1 },
          updatedAt: new Date(),
        },
      });
    });
  }

  /** Notes what a run did. Doing it twice changes nothing when the seed is the same. @returns false when there is no such book */
  progress(tenantId: string, id: string, progress: BookProgress, seed: string): Promise<boolean> {
    return this.db.$transaction(async (tx) => {
      if (!(await lockBook(tx, tenantId, id))) return false;
      const before = await tx.bookProject.findFirstOrThrow({ where: { id, tenantId } });
      const { outline, runtime, status } = progress;
      if (outline) await syncChapters(tx, tenantId, id, outline, seed);
      const synopsis = outline?.synopsis;
      await tx.bookProject.update({
        where: { id },
        data: {
          llmRuntime: {
            ...llmRuntimeSchema.parse(before.llmRuntime),
            ...runtime,
            ...(synopsis === undefined ? {} : { synopsis }),
          },
          ...(status ? { status } : {}),
          revision: { increment: 1 },
          updatedAt: new Date(),
        },
      });
      return true;
    });
  }
}
