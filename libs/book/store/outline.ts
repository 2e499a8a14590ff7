import { wordsIn } from '#contracts/text.js';
import type { ChapterOutline, ChapterOutlineChanges, OutlineChanges } from '../contract/outline.js';
import { derivedId, newId } from '#contracts/ids.js';
import { chapterOutlineSchema } from '../contract/outline.js';
import type { Database } from '#db/client.js';
import type { BookChapter } from '#db/generated/client.js';

type Transaction = Parameters<Parameters<Database['$transaction']>[0]>[0];

/**
 * Locks a book until the transaction ends, so that changes of its chapters run one at a time; false if it
 * does not exist.
 */
export async function lockBook(tx: Transaction, tenantId: string, projectId: string): Promise<boolean> {
  const found = await tx.$queryRaw<object[]>`
    SELECT id FROM book_projects WHERE id = ${projectId} AND tenant_id = ${tenantId} FOR UPDATE`;
  return found.length > 0;
}

/** Locks a book like `lockBook` and records a change of it. */
export async function touchBook(tx: Transaction, tenantId: string, projectId: string): Promise<boolean> {
  const changed = await tx.$executeRaw`
    /* touch book */ UPDATE book_projects SET revision = revision + 1, updated_at = now() WHERE id = ${projectId} AND tenant_id = ${tenantId}`;
  return changed > 0;
}

export const orderedChapters = (tx: Pick<Transaction, 'bookChapter'>, tenantId: string, projectId: string) =>
  tx.bookChapter.findMany({ where: { tenantId, projectId }, orderBy: [{ number: 'asc' }, { id: 'asc' }] });

/**
 * Updates the chapters of a locked book to match an outline. A chapter that the outline names by ID or title
 * keeps its ID and the fields that the outline omits. A chapter with text is never deleted: it moves to the
 * end. The title of an accepted chapter stays.
 *
 * @param seed set if the outline may be saved twice (a step of a run): its new chapters then get the same IDs
 */
export async function syncChapters(
  tx: Transaction,
  tenantId: string,
  projectId: string,
  outline: OutlineChanges,
  seed?: string,
): Promise<void> {
  const left = new Map((await orderedChapters(tx, tenantId, projectId)).map((row) => [row.id, row]));
  const byTitle = new Map([...left.values()].map((row) => [titleKey(row.title), row.id]));
  const rows = outline.chapters.map(({ id, title, ...entry }, index) => {
    const found = left.get(id ?? '') ?? left.get(byTitle.get(titleKey(title)) ?? '');
    if (found) left.delete(found.id);
    const newOne = seed === undefined ? newId('cha') : derivedId('cha', `${seed}/${projectId}/${index}`);
    return {
      id: found?.id ?? newOne,
      title: found?.status === 'accepted' ? found.title : title,
      outline: changedOutline(found?.outline, entry),
      isNew: !found,
    };
  });
  const dropped = [...left.values()].filter(({ version }) => version === 0).map(({ id }) => id);
  if (dropped.length > 0) await tx.bookChapter.deleteMany({ where: { tenantId, id: { in: dropped } } });
  const added = rows.filter(({ isNew }) => isNew);
  if (added.length > 0)
    await tx.bookChapter.createMany({
      data: added.map(({ id, title, outline: entry }) =>
        newChapterRow(tenantId, projectId, id, title, entry),
      ),
      skipDuplicates: true,
    });
  for (const { id, title, outline: entry, isNew } of rows)
    if (!isNew) await tx.bookChapter.updateMany({ where: { tenantId, id }, data: { title, outline: entry } });
  const kept = [...left.values()].filter(({ version }) => version > 0).map(({ id }) => id);
  await numberChapters(tx, tenantId, [...rows.map(({ id }) => id), ...kept]);
}

export function newChapterRow(
  tenantId: string,
  projectId: string,
  id: string,
  title: string,
  outline: ChapterOutline,
) {
  return { id, tenantId, projectId, title, outline, number: 0, status: 'planned' };
}

/** Numbers the chapters in the given order, in one statement. */
export async function numberChapters(tx: Transaction, tenantId: string, ids: string[]): Promise<void> {
  await tx.$executeRaw`
    /* number chapters */ UPDATE book_chapters c SET number = o.number, revision = c.revision + 1, updated_at = now()
    FROM unnest(${ids}::text[]) WITH ORDINALITY AS o(id, number)
    WHERE c.id = o.id AND c.tenant_id = ${tenantId} AND c.number <> o.number`;
}

/** Returns a chapter's outline with the changed fields. */
export function changedOutline(before: unknown, changes: ChapterOutlineChanges): ChapterOutline {
  return chapterOutlineSchema.parse({ ...(before as object | undefined), ...changes });
}

/** Returns the outline for clients and models, with the order and titles of the chapters. */
export function outlineOf(synopsis: string, chapters: BookChapter[]) {
  return {
    synopsis,
    chapters: chapters.map(({ id, number, title, outline }) => ({
      id,
      number,
      title,
      ...chapterOutlineSchema.parse(outline),
    })),
  };
}

const titleKey = (title: string): string => wordsIn(title.toLowerCase()).join(' ');
