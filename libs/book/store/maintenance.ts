import { sourcePriorities, type SourcePriority } from '#knowledge/contract.js';
import { normaliseZones } from '../contract/zones.js';
import { isDeepStrictEqual } from 'node:util';
import { Prisma, type Database } from '#db/client.js';
import { lockBook } from './outline.js';

/** A row that maintenance changed or would change, with a description of the change. */
export interface RepairedRow {
  id: string;
  what: string;
}

const BATCH = 100;

/** Moves entries in the wrong zone of a book's metadata to the right one (B2, B24). Idempotent. */
export async function repairZones(db: Database, isDryRun: boolean): Promise<RepairedRow[]> {
  const mended: RepairedRow[] = [];
  for (let after = ''; ;) {
    const page = { where: { id: { gt: after } }, orderBy: { id: 'asc' as const }, take: BATCH };
    const books = await db.bookProject.findMany({ ...page, select: { id: true, tenantId: true } });
    for (const { id, tenantId } of books) mended.push(...(await repairZonesOf(db, tenantId, id, isDryRun)));
    if (books.length < BATCH) return mended;
    after = books.at(-1)!.id;
  }
}

function repairZonesOf(
  db: Database,
  tenantId: string,
  id: string,
  isDryRun: boolean,
): Promise<RepairedRow[]> {
  return db.$transaction(async (tx) => {
    if (!(await lockBook(tx, tenantId, id))) return [];
    const book = await tx.bookProject.findFirstOrThrow({ where: { id, tenantId } });
    const { concept, runtime } = normaliseZones(book.userConcept, book.llmRuntime);
    const zones = [
      ...(isDeepStrictEqual(concept, book.userConcept) ? [] : ['user_concept']),
      ...(isDeepStrictEqual(runtime, book.llmRuntime) ? [] : ['llm_runtime']),
    ];
    if (zones.length === 0) return [];
    const data = { userConcept: concept, llmRuntime: runtime, revision: { increment: 1 } };
    if (!isDryRun) await tx.bookProject.update({ where: { id }, data });
    return [{ id, what: zones.join(', ') }];
  });
}

const WEIGHTS: Readonly<Record<string, SourcePriority>> = {
  '5': 'primary',
  '3': 'supporting',
  '1': 'tone-only',
};

/** Maps an unknown label to a priority: a different spelling, a weight, or `supporting` by default (B15). */
export function priorityOf(label: string): SourcePriority {
  const plain = label
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  return sourcePriorities.find((name) => name === plain) ?? WEIGHTS[plain] ?? 'supporting';
}

/**
 * Replaces unknown priorities of sources. Search reads the priority from the source, so nothing is reindexed
 * (B15, B24).
 */
export async function repairPriorities(db: Database, isDryRun: boolean): Promise<RepairedRow[]> {
  const sources = await db.knowledgeSource.findMany({
    where: { priority: { notIn: [...sourcePriorities] } },
    select: { id: true, priority: true },
    orderBy: { id: 'asc' },
  });
  for (const { id, priority } of isDryRun ? [] : sources)
    await db.knowledgeSource.updateMany({
      where: { id, priority },
      data: { priority: priorityOf(priority) },
    });
  return sources.map(({ id, priority }) => ({ id, what: `${priority} -> ${priorityOf(priority)}` }));
}

/** Tables of a book that contain a tenant ID, with the join to the book. */
const OF_BOOKS = [
  ['book_projects', Prisma.sql`book_projects t JOIN book_projects b ON b.id = t.id`],
  ['book_chapters', Prisma.sql`book_chapters t JOIN book_projects b ON b.id = t.project_id`],
  [
    'book_chapter_versions',
    Prisma.sql`book_chapter_versions t JOIN book_chapters c ON c.id = t.chapter_id JOIN book_projects b ON b.id = c.project_id`,
  ],
] as const;

/**
 * Assigns rows of books to the tenant that owns the book's session, if they name another tenant, such as rows
 * inserted by hand (B24).
 *
 * @param owner only rows that belong to this tenant are changed
 */
export async function repairOwners(db: Database, owner: string, isDryRun: boolean): Promise<RepairedRow[]> {
  return db.$transaction(async (tx) => {
    const mended: RepairedRow[] = [];
    for (const [table, rows] of OF_BOOKS) {
      const found = await tx.$queryRaw<{ id: string; tenant_id: string }[]>`
        SELECT t.id, t.tenant_id FROM ${rows} JOIN sessions s ON s.id = b.session_id
        WHERE s.tenant_id = ${owner} AND t.tenant_id <> s.tenant_id ORDER BY t.id`;
      const ids = found.map(({ id }) => id);
      if (!isDryRun && ids.length > 0)
        await tx.$executeRaw`UPDATE ${Prisma.raw(table)} SET tenant_id = ${owner} WHERE id = ANY(${ids})`;
      mended.push(...found.map(({ id, tenant_id: from }) => ({ id, what: `${table}: ${from} -> ${owner}` })));
    }
    return mended;
  });
}
