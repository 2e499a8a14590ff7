import type { RunStatus } from '#contracts/runs.js';
import { storedActiveStatuses, shownUnder } from '../shown-status.js';
import { Prisma, type Database } from '../client.js';
import type { Run } from '../generated/client.js';
import { pageByTime, type PageRequest, containsText, runTitleContains } from '../page.js';

export type { Run };

interface RunSelection {
  sessionId?: string | undefined;
  status?: RunStatus | undefined;
  kind?: string | undefined;
  mode?: string | undefined;
  /** Part of the title that clients see. */
  title?: string | undefined;
}

export interface RunUsage {
  inputTokens: number;
  outputTokens: number;
  modelCalls: number;
  /** Millionths of the currency, like `reservedCost`. */
  cost: number;
  reservedTokens: number;
  reservedCost: number;
}

/** Returns the IDs of a session's rolled-back runs, whose results do not count. */
export async function rolledBackRuns(db: Database, tenantId: string, sessionId: string): Promise<string[]> {
  const rows = await db.run.findMany({
    where: { tenantId, sessionId, rolledBackAt: { not: null } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Runs as a tenant sees them; `libs/engine/` contains the protocol that changes them. */
export class RunRepository {
  constructor(private readonly db: Database) {}

  find(tenantId: string, runId: string): Promise<Run | null> {
    return this.db.run.findFirst({ where: { id: runId, tenantId } });
  }

  /** Returns those of the runs that exist. */
  findAll(tenantId: string, ids: string[]): Promise<Run[]> {
    return this.db.run.findMany({ where: { tenantId, id: { in: ids } } });
  }

  /** Returns whether the tenant has a run with that ID. */
  async has(tenantId: string, runId: string): Promise<boolean> {
    const found = await this.db.$statement(
      Prisma.sql`SELECT 1 FROM runs WHERE id = ${runId} AND tenant_id = ${tenantId}`,
    );
    return found.length > 0;
  }

  /** Returns a page of runs, newest first. */
  async page(tenantId: string, selection: RunSelection, request: PageRequest): Promise<Run[]> {
    const { sessionId, status, kind, mode, title } = selection;
    const { where, ...page } = pageByTime(request, 'desc');
    const ids = status && (await this.shownIds(tenantId, status, selection, request));
    return this.db.run.findMany({
      where: {
        tenantId,
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(ids === undefined ? {} : { id: { in: ids } }),
        ...(kind === undefined ? {} : { kind }),
        ...(mode === undefined ? {} : { mode }),
        ...(title === undefined
          ? {}
          : {
              OR: [
                { session: { title: containsText(title) } },
                { session: { title: null }, ...runTitleContains(title) },
              ],
            }),
        AND: where,
      },
      ...page,
    });
  }

  /**
   * Returns a page of the IDs of runs that clients see under a status; reads each stored status in the order
   * of its index.
   */
  private async shownIds(
    tenantId: string,
    status: RunStatus,
    { sessionId, kind, mode }: RunSelection,
    { take, after }: PageRequest,
  ): Promise<string[]> {
    const conditions = [
      Prisma.sql`r.tenant_id = ${tenantId}`,
      ...(sessionId === undefined ? [] : [Prisma.sql`r.session_id = ${sessionId}`]),
      ...(kind === undefined ? [] : [Prisma.sql`r.kind = ${kind}`]),
      ...(mode === undefined ? [] : [Prisma.sql`r.mode = ${mode}`]),
      ...(after ? [Prisma.sql`(r.created_at, r.id) < (${after.createdAt}, ${after.id})`] : []),
    ];
    const pageOf = (isShown: Prisma.Sql) => Prisma.sql`
      (SELECT r.id, r.created_at FROM runs r WHERE ${isShown} AND ${Prisma.join(conditions, ' AND ')}
       ORDER BY r.created_at DESC, r.id DESC LIMIT ${take}::int)`;
    const rows = await this.db.$statement<{ id: string }>(Prisma.sql`
      /* page of runs by status */ SELECT id FROM (${Prisma.join(shownUnder(status).map(pageOf), ' UNION ALL ')}) found
      ORDER BY created_at DESC, id DESC LIMIT ${take}::int`);
    return rows.map(({ id }) => id);
  }

  /**
   * Returns the newest run of a session that a client started and that was not rolled back, or null.
   *
   * @param without kinds of runs that do not count
   */
  latest(tenantId: string, sessionId: string, without: string[] = []): Promise<Run | null> {
    const kind = { notIn: without };
    return this.db.run.findFirst({
      where: { tenantId, sessionId, rolledBackAt: null, parentRunId: null, kind },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
  }

  /** Returns the IDs of the runs that a run has started. */
  async childIds(tenantId: string, runId: string): Promise<string[]> {
    const rows = await this.db.run.findMany({
      where: { tenantId, parentRunId: runId, rolledBackAt: null },
      select: { id: true },
    });
    return rows.map(({ id }) => id);
  }

  /**
   * Returns the latest run of each session that a client started and that was not rolled back.
   *
   * @param kind only runs of this kind
   */
  latestOf(tenantId: string, sessionIds: readonly string[], kind?: string): Promise<Run[]> {
    return this.db.run.findMany({
      where: {
        tenantId,
        sessionId: { in: [...sessionIds] },
        rolledBackAt: null,
        parentRunId: null,
        ...(kind === undefined ? {} : { kind }),
      },
      distinct: ['sessionId'],
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
  }

  async hasActive(tenantId: string, sessionId: string): Promise<boolean> {
    const count = await this.db.run.count({
      where: { tenantId, sessionId, status: { in: storedActiveStatuses } },
    });
    return count > 0;
  }

  /**
   * Returns the model usage of runs including their descendants, and the reservations for calls in flight, by
   * run ID.
   */
  async usage(tenantId: string, runIds: string[]): Promise<Map<string, RunUsage>> {
    const rows = await this.db.$statement<RunUsage & { id: string }>(Prisma.sql`
      /* usage of runs */ WITH RECURSIVE family AS (
        SELECT run.id AS root, run.id FROM unnest(${runIds}::text[]) AS run(id)
        UNION ALL
        SELECT family.root, child.id FROM family JOIN runs child ON child.parent_run_id = family.id
        WHERE child.tenant_id = ${tenantId}
      )
      SELECT run.id, taken.*, reserved.*
      FROM unnest(${runIds}::text[]) AS run(id)
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(input_tokens), 0)::float AS "inputTokens", coalesce(sum(output_tokens), 0)::float AS "outputTokens",
               count(*)::int AS "modelCalls", coalesce(sum(cost), 0)::float AS cost
        FROM model_calls WHERE run_id IN (SELECT id FROM family WHERE root = run.id) AND tenant_id = ${tenantId}) taken
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(tokens), 0)::float AS "reservedTokens", coalesce(sum(cost), 0)::float AS "reservedCost"
        FROM model_reservations WHERE run_id IN (SELECT id FROM family WHERE root = run.id) AND tenant_id = ${tenantId}
          AND created_at > now() - interval '35 minutes') reserved`);
    return new Map(rows.map(({ id, ...usage }) => [id, usage]));
  }
}
