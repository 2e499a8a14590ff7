import type { Engine } from './engine.js';
import { advanceJob } from './jobs.js';

/** Serialises dispatchers, so that a tenant's cap holds whoever dispatches. */
const DISPATCH_LOCK = 7_370_002;

/**
 * The fair dispatcher: gives queued runs to the runners, round robin over tenants and up to each tenant's cap.
 *
 * @returns how many runs were handed out
 */
export async function dispatch({ db, queues }: Engine): Promise<number> {
  const due = await db.$queryRaw<{ id: string; epoch: number }[]>`
    WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(${DISPATCH_LOCK})),
    active AS (
      SELECT tenant_id, count(*)::int AS runs FROM runs, (SELECT count(*) FROM locked) l
      WHERE status = 'running' OR (status = 'queued' AND dispatched_at IS NOT NULL)
      GROUP BY tenant_id
    ),
    ranked AS (
      SELECT r.id, r.created_at, row_number() OVER (PARTITION BY r.tenant_id ORDER BY r.created_at, r.id) AS turn,
             t.max_active_runs - coalesce(a.runs, 0) AS free
      FROM runs r JOIN tenants t ON t.id = r.tenant_id LEFT JOIN active a ON a.tenant_id = r.tenant_id
      WHERE r.status = 'queued' AND r.dispatched_at IS NULL
    ),
    handed_out AS (
      UPDATE runs SET dispatched_at = now(), checked_at = now()
      FROM ranked WHERE runs.id = ranked.id AND ranked.turn <= ranked.free AND runs.dispatched_at IS NULL
      RETURNING runs.id, runs.epoch, ranked.turn, ranked.created_at
    )
    SELECT id, epoch FROM handed_out ORDER BY turn, created_at`;
  for (const run of due) await queues.add(advanceJob(run.id, run.epoch));
  return due.length;
}
