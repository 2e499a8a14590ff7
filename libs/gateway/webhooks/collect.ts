import { ACTIVE_STATUSES } from '#db/active-statuses.js';
import { Prisma, type Database } from '#db/client.js';
import { CHANGES_SHOWN_STATUS, SHOWN_EVENT_STATUS } from '#db/shown-status.js';

/** Seconds between two scans of all runs of a webhook. */
export const SCAN_SECONDS = 5;
/** Events of a transaction open for longer than this may be missed if `pg_stat_activity` does not show it. */
const MARGIN_SECONDS = 60;
/** Days for which settled deliveries are kept. */
const KEEP_DAYS = 7;

/**
 * Turns new events of a webhook into deliveries and advances its cursors in one statement, so that no event
 * is lost or delivered twice. Does not touch runs of tenants without webhooks, nor add to their writes.
 *
 * @param webhooks SQL condition on `webhooks w`
 * @param runs SQL condition on `runs r`; may refer to `w`
 */
const collect = (webhooks: Prisma.Sql, runs: Prisma.Sql) => Prisma.sql`
  /* collect for webhooks */ WITH moved AS (
    SELECT w.id AS webhook_id, w.tenant_id, w.events, w.created_at, r.id AS run_id, r.session_id, r.event_seq,
           coalesce(c.seq, 0) AS seen
    FROM webhooks w JOIN runs r ON r.tenant_id = w.tenant_id AND ${runs}
    LEFT JOIN webhook_cursors c ON c.webhook_id = w.id AND c.run_id = r.id
    WHERE w.disabled_at IS NULL AND ${webhooks} AND r.event_seq > coalesce(c.seq, 0)
  ),
  found AS (
    SELECT m.*, e.seq, e.at, e.data->>'decision_id' AS decision_id,
           CASE e.type WHEN 'run_status' THEN ${SHOWN_EVENT_STATUS} ELSE e.type END AS event,
           CASE e.type WHEN 'decision_required' THEN 'needs_answer' ELSE ${SHOWN_EVENT_STATUS} END AS run_status
    FROM moved m JOIN run_events e ON e.run_id = m.run_id AND e.seq > m.seen AND e.seq <= m.event_seq
    WHERE e.type IN ('run_status', 'decision_required', 'done') AND e.at >= m.created_at AND ${CHANGES_SHOWN_STATUS}
  ),
  added AS (
    INSERT INTO webhook_deliveries
      (webhook_id, run_id, seq, tenant_id, session_id, event, run_status, decision_id, at)
    SELECT webhook_id, run_id, seq, tenant_id, session_id, event, run_status, decision_id, at
    FROM found WHERE event = ANY(events) ORDER BY webhook_id, run_id, seq
    ON CONFLICT DO NOTHING
  )
  INSERT INTO webhook_cursors (webhook_id, run_id, seq)
  SELECT webhook_id, run_id, event_seq FROM moved ORDER BY webhook_id, run_id
  ON CONFLICT (webhook_id, run_id) DO UPDATE SET seq = greatest(webhook_cursors.seq, excluded.seq)`;

/** Collects the new events of the runs that notifications named. */
export async function collectRuns(db: Database, runIds: string[]): Promise<void> {
  await db.$executeRaw(collect(Prisma.sql`true`, Prisma.sql`r.id = ANY(${runIds})`));
}

/**
 * Collects events that notifications missed, for webhooks that no gateway has scanned recently: events of
 * active runs and of runs that ended since the last scan. Uses the database's clock, and stops at the start
 * of the oldest open transaction, because runs that it ends will have an earlier time.
 *
 * @returns whether any webhook is enabled
 */
export async function scan(db: Database): Promise<boolean> {
  const [state] = await db.$queryRaw<{ exists: boolean; until: Date }[]>`
    SELECT EXISTS (SELECT 1 FROM webhooks WHERE disabled_at IS NULL) AS exists,
      least(now(), (SELECT min(xact_start) FROM pg_stat_activity WHERE datname = current_database()))
        - make_interval(secs => ${MARGIN_SECONDS}) AS until`;
  if (!state!.exists) return false;
  const due = await db.$queryRaw<{ id: string }[]>`
    /* claim webhooks to scan */ UPDATE webhooks SET scanned_at = now()
    WHERE id IN (
      SELECT id FROM webhooks
      WHERE disabled_at IS NULL AND scanned_at < now() - make_interval(secs => ${SCAN_SECONDS})
      FOR UPDATE SKIP LOCKED)
    RETURNING id`;
  if (due.length === 0) return true;
  const ids = due.map(({ id }) => id);
  const isOpen = Prisma.sql`(r.status IN (${ACTIVE_STATUSES}) OR r.finished_at >= w.scanned_until)`;
  await db.$executeRaw(collect(Prisma.sql`w.id = ANY(${ids})`, isOpen));
  await db.$executeRaw`
    /* end scan of webhooks */ UPDATE webhooks SET scanned_until = greatest(scanned_until, ${state!.until}) WHERE id = ANY(${ids})`;
  return true;
}

/** Deletes deliveries that were settled more than `KEEP_DAYS` ago. */
export async function sweepDeliveries(db: Database): Promise<void> {
  await db.$executeRaw`
    /* sweep webhook deliveries */ DELETE FROM webhook_deliveries WHERE settled_at < now() - make_interval(days => ${KEEP_DAYS})`;
}
