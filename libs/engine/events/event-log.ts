import type { NewRunEvent } from '#catalogue/events.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';

/** PostgreSQL NOTIFY channel: run X has new events. */
export const EVENTS_CHANNEL = 'scriptorium_events';
/** PostgreSQL NOTIFY channel: run X was cancelled. */
export const CANCEL_CHANNEL = 'scriptorium_cancel';

/** Converts events to a JSON array for `eventsCte`. Drops NUL, which JSONB cannot store. */
function asJson(events: NewRunEvent[]): string {
  const rows = events.map(({ type, data, effectKey }) => ({ type, data, effect_key: effectKey ?? null }));
  return toJsonb(rows);
}

/**
 * Returns CTEs that append events to a run's log inside the caller's statement. `seq` is gap-free (it comes
 * from the run's row, which the CTEs lock), and an event whose effect key exists is skipped. Call `announce`
 * after the commit.
 *
 * @param guard SQL condition on `runs` that must be true, such as the epoch fence
 * @param set extra assignments for the run's row, each ending in a comma
 * @returns CTEs `run_row` (the updated run; no row if the guard is false) and `appended`
 */
export function eventsCte(
  runId: string,
  events: NewRunEvent[],
  guard: Prisma.Sql,
  set = Prisma.empty,
): Prisma.Sql {
  return Prisma.sql`
    fresh AS (
      SELECT row_number() OVER (ORDER BY e.ordinality) AS position, e.value->>'type' AS type, e.value->'data' AS data,
             e.value->>'effect_key' AS effect_key
      FROM jsonb_array_elements(${asJson(events)}::jsonb) WITH ORDINALITY e
      -- One index lookup per event; NOT EXISTS would read the run's whole log.
      WHERE (SELECT seq FROM run_events x WHERE x.run_id = ${runId} AND x.effect_key = e.value->>'effect_key') IS NULL
    ),
    run_row AS (
      UPDATE runs SET ${set} event_seq = event_seq + (SELECT count(*)::int FROM fresh), updated_at = now()
      WHERE id = ${runId} AND ${guard}
      RETURNING id, tenant_id, event_seq, epoch, status, crashes, express
    ),
    appended AS (
      INSERT INTO run_events (run_id, seq, type, data, effect_key)
      SELECT run_row.id, run_row.event_seq - (SELECT count(*)::int FROM fresh) + fresh.position, fresh.type, fresh.data,
             fresh.effect_key
      FROM fresh, run_row
      RETURNING seq
    )`;
}

/**
 * Returns the condition that the run is running at this epoch. `IS TRUE` makes PostgreSQL look the run up by
 * its ID instead of scanning all running runs by status.
 */
export function heldAt(epoch: number): Prisma.Sql {
  return Prisma.sql`epoch = ${epoch} AND (status = 'running') IS TRUE`;
}
