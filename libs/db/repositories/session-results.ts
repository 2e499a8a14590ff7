import { ACTIVE_STATUSES } from '../shown-status.js';
import type { Database } from '../client.js';
import type { SessionResult } from '../generated/client.js';

export type { SessionResult };

/** Current result of a session: the run that made it, and its object key. */
export interface CurrentResult {
  kind: string;
  name: string;
  runId: string;
  objectKey: string;
  updatedAt: Date;
}

/** Name of the result with the approved text, by mode; runs of both modes complete only after approval. */
const APPROVED: Record<string, string> = { author: 'article', shadow: 'corrected' };

/** Results of a session's runs, by kind and name. */
export class SessionResultRepository {
  constructor(private readonly db: Database) {}

  /** Returns the session's current results, by kind and name; results of rolled-back runs are excluded. */
  async list(tenantId: string, sessionId: string): Promise<CurrentResult[]> {
    const rows = await this.db.$queryRaw<(Omit<CurrentResult, 'objectKey'> & { objectKey: string | null })[]>`
      SELECT DISTINCT ON (s.kind, s.name) s.kind, s.name, s.run_id AS "runId", s.object_key AS "objectKey",
        s.updated_at AS "updatedAt"
      FROM session_results s JOIN runs r ON r.id = s.run_id AND r.rolled_back_at IS NULL
      WHERE s.session_id = ${sessionId} AND s.tenant_id = ${tenantId}
      ORDER BY s.kind, s.name, r.created_at DESC, r.id DESC`;
    return rows.flatMap(({ objectKey, ...row }) => (objectKey === null ? [] : [{ ...row, objectKey }]));
  }

  /**
   * Returns a result of the session, of the given kind or of the kind that made it last; null if there is
   * none.
   */
  async find(
    tenantId: string,
    sessionId: string,
    name: string,
    kind?: string,
  ): Promise<CurrentResult | null> {
    const all = await this.list(tenantId, sessionId);
    const fitting = all.filter(
      (result) => result.name === name && (kind === undefined || result.kind === kind),
    );
    return fitting.sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())[0] ?? null;
  }

  /**
   * Returns the text that a person approved last in a session (an article, or a corrected text) and the key of its
   * sources, or null.
   */
  async approvedArticle(
    tenantId: string,
    sessionId: string,
  ): Promise<{ text: CurrentResult; sourcesKey: string | null } | null> {
    const run = await this.db.run.findFirst({
      where: {
        ...{ tenantId, sessionId, kind: 'article', status: 'completed', rolledBackAt: null },
        mode: { in: Object.keys(APPROVED) },
      },
      orderBy: [{ finishedAt: 'desc' }, { id: 'desc' }],
      select: { id: true, mode: true },
    });
    const results = run ? await this.ofRun(tenantId, run.id) : [];
    const text = results.find(({ name }) => name === APPROVED[run?.mode ?? '']);
    if (!text || text.objectKey === null) return null;
    const sourcesKey = results.find(({ name }) => name === 'sources')?.objectKey ?? null;
    return { text: { ...text, objectKey: text.objectKey }, sourcesKey };
  }

  /** Returns the results of one run. */
  ofRun(tenantId: string, runId: string): Promise<SessionResult[]> {
    return this.db.sessionResult.findMany({ where: { tenantId, runId } });
  }

  /**
   * Points a result of a session at another object (D32: a rollback moves a pointer).
   *
   * @param runId a run of the kind that the result belongs to
   * @returns false while a run of the session is active: then only the run may move it
   */
  async move(
    tenantId: string,
    sessionId: string,
    { runId, name, objectKey }: { runId: string; name: string; objectKey: string },
  ): Promise<boolean> {
    const moved = await this.db.$executeRaw`
      /* move result */ WITH newest AS (
        SELECT r.id, r.kind FROM runs r
        WHERE r.tenant_id = ${tenantId} AND r.session_id = ${sessionId} AND r.rolled_back_at IS NULL
          AND r.kind = (SELECT kind FROM runs WHERE id = ${runId})
        ORDER BY r.created_at DESC, r.id DESC LIMIT 1
      )
      INSERT INTO session_results (session_id, tenant_id, kind, name, run_id, object_key)
      SELECT ${sessionId}, ${tenantId}, newest.kind, ${name}, newest.id, ${objectKey} FROM newest
      WHERE NOT EXISTS (SELECT 1 FROM runs WHERE session_id = ${sessionId} AND status IN (${ACTIVE_STATUSES}))
      ON CONFLICT (session_id, kind, name, run_id) DO UPDATE SET object_key = EXCLUDED.object_key, updated_at = now()`;
    return moved === 1;
  }

  /**
   * Points results of a run at other objects, all or none: each must still point at its `from`.
   *
   * @param whileIdle also requires that no run of the session is active
   * @returns whether the results were changed
   */
  async exchange(
    tenantId: string,
    { sessionId, runId }: { sessionId: string; runId: string },
    results: { name: string; from: string; to: string }[],
    whileIdle = false,
  ): Promise<boolean> {
    const names = results.map(({ name }) => name);
    const from = results.map((result) => result.from);
    const to = results.map((result) => result.to);
    return this.db
      .$transaction(async (tx) => {
        const changed = await tx.$executeRaw`
        /* exchange results */ UPDATE session_results s SET object_key = wanted.new, updated_at = now()
        FROM unnest(${names}::text[], ${from}::text[], ${to}::text[]) AS wanted (name, old, new)
        WHERE s.tenant_id = ${tenantId} AND s.session_id = ${sessionId} AND s.run_id = ${runId}
          AND s.name = wanted.name AND s.object_key = wanted.old
          AND NOT (${whileIdle} AND EXISTS (
            SELECT 1 FROM runs WHERE session_id = ${sessionId} AND status IN (${ACTIVE_STATUSES})))`;
        if (changed === results.length) return true;
        if (changed > 0) throw new PartlyChanged();
        return false;
      })
      .catch((error: unknown) => {
        if (error instanceof PartlyChanged) return false;
        throw error;
      });
  }
}

/** Rolls back a transaction that could not replace all results. */
class PartlyChanged extends Error {}
