import { newId } from '#contracts/ids.js';
import { Prisma, type Database } from '../client.js';
import { auditCte, markAudited } from './audit.js';
import type { Session } from '../generated/client.js';
import { pageByTime, type PageRequest, containsText, runTitleContains } from '../page.js';

export type { Session };

export class SessionRepository {
  constructor(private readonly db: Database) {}

  /** @param id set if the request may be repeated: a session with this ID is not created twice */
  async create(tenantId: string, title: string | null, id: string = newId('ses')): Promise<Session> {
    const [created] = await this.db.$statement<Pick<Session, 'createdAt'>>(Prisma.sql`
      /* create session */ WITH session_row AS (
        INSERT INTO sessions (id, tenant_id, title) VALUES (${id}, ${tenantId}, ${title})
        ON CONFLICT DO NOTHING RETURNING tenant_id, created_at
      )${auditCte('createSession', id, Prisma.sql`session_row`)}
      SELECT created_at AS "createdAt" FROM session_row`);
    // If an earlier attempt of the request has created it, it has written the entry, too.
    markAudited('createSession');
    if (!created) return this.db.session.findFirstOrThrow({ where: { id, tenantId } });
    return { id, tenantId, title, ...created, forkedFrom: null, objectsSweptAt: null };
  }

  /** Returns a session or null; without Prisma's query engine, because most requests need it. */
  async find(tenantId: string, sessionId: string): Promise<Session | null> {
    const [session] = await this.db.$statement<Session>(Prisma.sql`
      SELECT id, tenant_id AS "tenantId", title, created_at AS "createdAt", forked_from AS "forkedFrom",
        objects_swept_at AS "objectsSweptAt"
      FROM sessions WHERE id = ${sessionId} AND tenant_id = ${tenantId}`);
    return session ?? null;
  }

  /**
   * Returns a page of sessions, newest first.
   *
   * @param kind only sessions in which a client started a run of this kind; child runs do not count
   * @param title only sessions whose title contains this text; an untitled session matches by the titles of its runs
   */
  page(
    tenantId: string,
    request: PageRequest,
    { kind, title }: { kind?: string | undefined; title?: string | undefined } = {},
  ): Promise<Session[]> {
    const { where, ...page } = pageByTime(request, 'desc');
    const conditions: Prisma.SessionWhereInput[] = [
      ...(kind === undefined ? [] : [{ runs: { some: { tenantId, kind, parentRunId: null } } }]),
      ...(title === undefined
        ? []
        : [
            {
              OR: [{ title: containsText(title) }, { title: null, runs: { some: runTitleContains(title) } }],
            },
          ]),
    ];
    return this.db.session.findMany({ where: { tenantId, AND: [where, ...conditions] }, ...page });
  }

  /** Returns the titles of sessions that have one, by ID. */
  async titles(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.db.$statement<{ id: string; title: string }>(Prisma.sql`
      /* titles of sessions */ SELECT id, title FROM sessions
      WHERE id = ANY(${[...ids]}::text[]) AND tenant_id = ${tenantId} AND title IS NOT NULL`);
    return new Map(rows.map(({ id, title }) => [id, title]));
  }

  /** Returns the first name of the input files of sessions that have files, by session ID. */
  async firstFiles(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.db.$statement<{ id: string; name: string }>(Prisma.sql`
      /* first files of sessions */ SELECT session_id AS id, min(name) AS name FROM session_files
      WHERE session_id = ANY(${[...ids]}::text[]) AND tenant_id = ${tenantId} AND folder = 'inputs'
      GROUP BY session_id`);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Changes the title of a session; null removes it. */
  async rename(tenantId: string, id: string, title: string | null): Promise<void> {
    await this.db.session.updateMany({ where: { id, tenantId }, data: { title } });
  }
}
