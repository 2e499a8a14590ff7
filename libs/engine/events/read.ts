import { runEventSchema, type RunEvent } from '#catalogue/events.js';
import { Prisma, type Database } from '#db/client.js';
import { shownEventData } from '#db/shown-status.js';

/** Maximum events of a run per read. */
export const PAGE = 500;

/** Position in a run's log: after the event with this number. */
export interface Place {
  runId: string;
  after: number;
}

/** Event as stored. */
export interface EventRow {
  seq: number;
  at: Date;
  type: string;
  data: Record<string, unknown>;
}

/** Returns the event of a row. @throws ZodError for an event that this release does not know */
export const eventOf = (runId: string, { seq, at, type, data }: EventRow): RunEvent =>
  runEventSchema.parse({ seq, at: at.toISOString(), run_id: runId, type, data: shownEventData(type, data) });

/**
 * Reads the rows after several positions by one statement.
 *
 * @returns an array per position, oldest first; null if no rows can follow, because the run has ended or was
 * deleted
 */
export async function readLogs(db: Database, places: Place[]): Promise<(EventRow[] | null)[]> {
  type Row = EventRow & { place: number; newest: string | null };
  const found = await db.$statement<Row | { place: number; newest: string | null; seq: null }>(Prisma.sql`
    /* read events */ SELECT place.n::int AS place, event.*, CASE WHEN event.seq IS NULL THEN
      (SELECT type FROM run_events WHERE run_id = place.run_id ORDER BY seq DESC LIMIT 1) END AS newest
    FROM unnest(${places.map(({ runId }) => runId)}::text[], ${places.map(({ after }) => after)}::int[])
      WITH ORDINALITY AS place(run_id, after, n)
    LEFT JOIN LATERAL (
      SELECT seq, at, type, data FROM run_events
      WHERE run_id = place.run_id AND seq > place.after ORDER BY seq LIMIT ${PAGE}::int) event ON true
    ORDER BY place.n, event.seq`);
  const rows = places.map((): EventRow[] | null => []);
  for (const { place, newest, ...row } of found) {
    const { after } = places[place - 1]!;
    if (row.seq !== null) rows[place - 1]!.push(row);
    else if (newest === 'done' || (newest === null && after > 0)) rows[place - 1] = null;
  }
  return rows;
}
