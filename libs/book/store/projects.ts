import type { BookStatus } from '../contract/schemas.js';
import { derivedId } from '#contracts/ids.js';
import type { OutlineChanges } from '../contract/outline.js';
import { llmRuntimeSchema, type LlmRuntime, type UserConcept } from '../contract/profile.js';
import type { Database } from '#db/client.js';
import type { BookProject } from '#db/generated/client.js';
import { pageByTime, type PageRequest, containsText } from '#db/page.js';
import { lockBook, syncChapters } from './outline.js';
import { CollectionRepository } from '#knowledge/store/collections.js';

/** Purpose of a book's collection: its sources, or the content of its chapters (B16). */
export type BookMemory = 'knowledge' | 'memory';

/** Returns the ID of a book's collection, derived from the book's ID. */
export const bookCollectionId = (projectId: string, purpose: BookMemory): string =>
  derivedId('col', `${projectId}/${purpose}`);

/** Returns the ID of a book's collection and creates the collection if necessary. */
export async function bookCollection(
  db: Database,
  tenantId: string,
  projectId: string,
  purpose: BookMemory,
): Promise<string> {
  const id = bookCollectionId(projectId, purpose);
  const name = purpose === 'knowledge' ? 'Sources of a book' : 'Chapters of a book';
  await new CollectionRepository(db).create(tenantId, { id, name, purpose, projectId });
  return id;
}

export type { BookProject };

/** Changes of the author to a book. */
export interface BookChanges {
  concept?: UserConcept;
  title?: string;
  outline?: OutlineChanges;
}

/**
 * Changes that a run may make to a book: runtime zone, outline and status. The author's zone is not among
 * them (B2).
 */
export interface BookProgress {
  runtime?: LlmRuntime;
  outline?: OutlineChanges;
  status?: BookStatus;
}

/** Books of tenants (B20). */
export class BookRepository {
  constructor(private readonly db: Database) {}

  /** Creates a book and its session; no-op if the ID exists. */
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

  /** Returns the book of a session, or null. */
  ofSession(tenantId: string, sessionId: string): Promise<BookProject | null> {
    return this.db.bookProject.findFirst({ where: { tenantId, sessionId } });
  }

  /**
   * Returns a page of books, newest first.
   *
   * @param title only books whose title contains this text
   */
  page(tenantId: string, request: PageRequest, title?: string): Promise<BookProject[]> {
    const { where, ...page } = pageByTime(request, 'desc');
    const titled = title === undefined ? {} : { title: containsText(title) };
    return this.db.bookProject.findMany({ where: { tenantId, ...titled, AND: where }, ...page });
  }

  /**
   * Changes the author's part of a book.
   *
   * @param change returns the changes for the locked book; null rejects, and nothing is changed
   * @returns null if the book does not exist, or the change was rejected
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

  /** Stores the progress of a run. Idempotent for the same seed. @returns false if the book does not exist */
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
