import { ACTIVE_STATUSES, SHOWN_STATUS } from '#db/shown-status.js';
import type {
  stuckRunSchema,
  stuckRunsQuery,
  parkedRunsQuery,
  parkedRunsSchema,
} from '#contracts/api/operations-schemas.js';
import { Prisma, type Database } from '#db/client.js';
import type { PageRequest } from '#db/page.js';
import { DATABASE, ENGINE } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { byTime, readPage, type CursorFormat, idSchema } from '../http/page.js';
import type { Engine } from '#engine/engine.js';
import type { KnownKinds } from '#engine/kind.js';

type ParkedRuns = z.infer<typeof parkedRunsSchema>;
type ParkedRow = Omit<ParkedRuns, 'oldest_at' | 'current_version' | 'resumes'> & { oldest_at: Date };

type Position = [kind: string, graphVersion: string, node: string, waitsFor: string];

const byNode: CursorFormat<ParkedRow, Position> = {
  write: (row): Position => [row.kind, row.graph_version, row.node, row.waits_for],
  schema: z.tuple([idSchema, idSchema, idSchema, idSchema]),
};

/** Maximum number of run ids per row; `runs` counts all runs. */
const IDS_SHOWN = 100;

/** Waiting runs of all tenants, and whether this release can resume them. */
@Injectable()
export class ParkedRunsService {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(ENGINE) private readonly engine: Engine,
  ) {}

  /**
   * Lists waiting runs, grouped by graph version and node, and says whether this release's graph still has
   * the node.
   *
   * @throws ProblemError `invalid_request` for a wrong cursor
   */
  list(query: z.infer<typeof parkedRunsQuery>) {
    return readPage(
      query,
      byNode,
      (request: PageRequest<Position>) => this.read(query.graph, request),
      (rows) => rows.map((row) => preview(row, this.engine.kinds)),
    );
  }

  private read(graph: string | undefined, { take, after }: PageRequest<Position>): Promise<ParkedRow[]> {
    const behind = after
      ? Prisma.sql`(kind, graph_version, node, waits_for) > (${Prisma.join(after)})`
      : Prisma.sql`true`;
    return this.db.$queryRaw<ParkedRow[]>`
      SELECT * FROM (
      SELECT r.kind, r.graph_version, t.node, count(DISTINCT r.id)::int AS runs, min(t.created_at) AS oldest_at,
        CASE WHEN t.queue = 'human-input' THEN 'person' ELSE 'worker' END AS waits_for,
        (array_agg(r.id ORDER BY t.created_at, r.id))[1:${IDS_SHOWN}::int] AS run_ids
      FROM runs r JOIN tasks t ON t.run_id = r.id AND t.status = 'pending'
      WHERE r.status = 'waiting'
        AND (${graph ?? null}::text IS NULL OR ${graph ?? null} IN (r.kind, r.graph_version, r.kind || '@' || r.graph_version))
      GROUP BY r.kind, r.graph_version, t.node, waits_for) groups
      WHERE ${behind}
      ORDER BY kind, graph_version, node, waits_for LIMIT ${take}`;
  }
}

function preview(row: ParkedRow, kinds: KnownKinds): ParkedRuns {
  const current = kinds.get(row.kind);
  return {
    ...row,
    run_ids: [...new Set(row.run_ids)],
    oldest_at: row.oldest_at.toISOString(),
    current_version: current?.version ?? null,
    resumes: current?.nodes.includes(row.node) ?? false,
  };
}

type StuckRun = z.infer<typeof stuckRunSchema>;
type WithDates<T, K extends keyof T> = Omit<T, K> & Record<K, Date>;
type Row = WithDates<StuckRun, 'created_at' | 'updated_at'>;

/**
 * Seconds after which an expired lease counts as a problem; the reconciler should have found another runner
 * by then.
 */
const UNLEASED_SECONDS = 30;

const byLastMove: CursorFormat<Row, NonNullable<PageRequest['after']>> = {
  ...byTime,
  write: ({ updated_at, id }) => [updated_at.getTime(), id],
};

/** Runs of all tenants that make no progress. */
@Injectable()
export class StuckRunsService {
  constructor(@Inject(DATABASE) private readonly db: Database) {}

  /**
   * Lists active runs whose step crashes, whose lease expired, that no runner claimed, or with an overdue
   * worker task; least recently updated first. Runs that wait for a person are not stuck.
   *
   * @throws ProblemError `invalid_request` for a wrong cursor
   */
  stuck(query: z.infer<typeof stuckRunsQuery>) {
    return readPage(
      query,
      byLastMove,
      (request: PageRequest) => this.read(query.waiting_seconds, request),
      (rows) =>
        rows.map((row) => ({
          ...row,
          created_at: row.created_at.toISOString(),
          updated_at: row.updated_at.toISOString(),
        })),
    );
  }

  private read(waitingSeconds: number, { take, after }: PageRequest): Promise<Row[]> {
    const behind = after
      ? Prisma.sql`(updated_at, id) > (${after.createdAt}, ${after.id})`
      : Prisma.sql`true`;
    return this.db.$queryRaw<Row[]>`
      SELECT id, tenant_id, session_id, kind, graph_version, shown_status AS status, crashes, created_at, updated_at, tasks,
        CASE WHEN crashes > 0 THEN 'crashing' WHEN is_unheld THEN 'without_runner' WHEN is_late THEN 'not_started'
             ELSE 'task_overdue' END AS reason
      FROM (
        SELECT r.*, t.tasks, ${SHOWN_STATUS} AS shown_status,
          r.status = 'running' AND greatest(r.lease_until, r.updated_at) < now() - make_interval(secs => ${UNLEASED_SECONDS})
            AS is_unheld,
          r.status = 'queued' AND coalesce(r.dispatched_at < now() - make_interval(secs => ${waitingSeconds}), false) AS is_late,
          coalesce(t.oldest < now() - make_interval(secs => ${waitingSeconds}), false) AS is_overdue
        FROM runs r CROSS JOIN LATERAL (
          SELECT min(created_at) AS oldest,
            coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'queue', queue, 'attempts', attempts,
              'enqueues', enqueues, 'error', error, 'created_at', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
              ORDER BY created_at), '[]') AS tasks
          FROM tasks WHERE run_id = r.id AND status = 'pending' AND queue <> 'human-input') t
        WHERE r.status IN (${ACTIVE_STATUSES})) active
      WHERE (crashes > 0 OR is_unheld OR is_late OR is_overdue) AND ${behind}
      ORDER BY updated_at, id LIMIT ${take}`;
  }
}
