import type { NewRunEvent } from '#contracts/events.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';

/** PostgreSQL's channel that says "run X has new events". */
export const EVENTS_CHANNEL = 'scriptorium_events';
/** PostgreSQL's channel that says "run X was cancelled". */
export const CANCEL_CHANNEL = 'scriptorium_cancel';

/** The events as a JSON array for `eventsCte`. NUL has no place in JSONB and is dropped. */
function asJson(events: NewRunEvent[]): string {
  const rows = events.map(({ type, data, effectKey }) => ({ type, data, effect_key: effectKey ?? null }));
  return toJsonb(rows);
}

/**
 * Common table expressions that append events to a run's log inside the caller's statement: gap-free (`seq` comes from
 * the run's row, which they lock) and without repeats (an effect key that is already there adds nothing).
 *
 * @param guard SQL condition on `runs` that must hold, such as the epoch fence
 * @param set further assignments for the run's row, each ending in a comma
 * @returns `run_row` (the updated run: zero rows when the guard does not hold) and `appended`; once committed, `announce`
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
      -- One look into the index for each event; NOT EXISTS would read the whole log of the run.
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
 * The condition that the run is still held at this epoch by a live runner. `IS TRUE` keeps PostgreSQL from looking for the run
 * by its status, among all that run, instead of by its id.
 */
export function heldAt(epoch: number): Prisma.Sql {
  return Prisma.sql`epoch = ${epoch} AND (status = 'running') IS TRUE`;
}
