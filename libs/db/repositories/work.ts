import { Prisma, type Database } from '../client.js';
import { literal, type PageRequest, type TimePosition } from '../page.js';

/** A piece of work: a session with its newest run, or a book that no run has worked on yet. */
export interface Work extends TimePosition {
  /** Time of the newest run; before the first, of the book. With `id`, the session, the position in the list. */
  createdAt: Date;
  title: string | null;
  runId: string | null;
  projectId: string | null;
  projectStatus: string | null;
}

interface WorkSelection {
  /** Kind of the newest run. */
  kind?: string | undefined;
  /** Part of the title. */
  title?: string | undefined;
  /** SHA-256 of a manuscript that a Word file of the work shows. */
  manuscript?: string | undefined;
  /** Kinds of runs that are not work of their own. */
  aside: readonly string[];
  /** Modes of such runs. */
  asideModes: readonly string[];
}

/** Pieces of work of a tenant. */
export class WorkRepository {
  constructor(private readonly db: Database) {}

  /** Returns a page of works, of the newest change first. */
  page(tenantId: string, selection: WorkSelection, { take, after }: PageRequest): Promise<Work[]> {
    const { kind, title, manuscript, aside, asideModes } = selection;
    const begun = (run: string) => Prisma.sql`${Prisma.raw(run)}.tenant_id = ${tenantId}
      AND ${Prisma.raw(run)}.parent_run_id IS NULL AND ${Prisma.raw(run)}.rolled_back_at IS NULL
      AND ${Prisma.raw(run)}.kind <> ALL(${[...aside]}::text[])
      AND (${Prisma.raw(run)}.mode IS NULL OR ${Prisma.raw(run)}.mode <> ALL(${[...asideModes]}::text[]))`;
    const pattern = title === undefined ? '' : `%${literal(title)}%`;
    const behind = (time: string) =>
      after ? Prisma.sql`AND (${Prisma.raw(time)}, s.id) < (${after.createdAt}, ${after.id})` : Prisma.empty;
    const ofKind = kind === undefined ? Prisma.empty : Prisma.sql`AND r.kind = ${kind}`;
    const titled =
      title === undefined
        ? Prisma.empty
        : Prisma.sql`AND coalesce(s.title, r.summary #>> '{details,title}', r.summary #>> '{details,topic}',
            r.summary #>> '{details,intent}') ILIKE ${pattern}`;
    const titledDraft = title === undefined ? Prisma.empty : Prisma.sql`AND s.title ILIKE ${pattern}`;
    const showing =
      manuscript === undefined
        ? Prisma.empty
        : Prisma.sql`AND EXISTS (SELECT 1 FROM exports e WHERE e.tenant_id = ${tenantId}
            AND e.session_id = s.id AND e.manuscript = ${manuscript})`;
    return this.db.$statement<Work>(Prisma.sql`
      /* page of works */ SELECT found.id, found.title, found.run_id AS "runId", found.created_at AS "createdAt",
        p.id AS "projectId", p.status AS "projectStatus"
      FROM (
        (SELECT s.id, s.title, r.id AS run_id, r.created_at FROM runs r JOIN sessions s ON s.id = r.session_id
         WHERE ${begun('r')} ${ofKind} ${titled} ${showing} ${behind('r.created_at')}
           AND NOT EXISTS (SELECT 1 FROM runs n WHERE n.session_id = r.session_id AND ${begun('n')}
             AND (n.created_at, n.id) > (r.created_at, r.id))
         ORDER BY r.created_at DESC, s.id DESC LIMIT ${take}::int)
        UNION ALL
        (SELECT s.id, s.title, NULL, b.created_at FROM book_projects b JOIN sessions s ON s.id = b.session_id
         WHERE b.tenant_id = ${tenantId} AND ${kind === undefined || kind === 'book'} ${titledDraft} ${showing} ${behind('b.created_at')}
           AND NOT EXISTS (SELECT 1 FROM runs n WHERE n.session_id = b.session_id AND ${begun('n')})
         ORDER BY b.created_at DESC, s.id DESC LIMIT ${take}::int)
      ) found
      LEFT JOIN book_projects p ON p.session_id = found.id AND p.tenant_id = ${tenantId}
      ORDER BY found.created_at DESC, found.id DESC LIMIT ${take}::int`);
  }
}
