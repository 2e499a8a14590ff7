import { runEventSchema, type RunEvent } from '#contracts/events.js';
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

/** Reads the rows after several positions by one statement; returns an array per position, oldest first. */
export async function readLogs(db: Database, places: Place[]): Promise<EventRow[][]> {
  const found = await db.$statement<EventRow & { place: number }>(Prisma.sql`
    /* read events */ SELECT place.n::int AS place, event.*
    FROM unnest(${places.map(({ runId }) => runId)}::text[], ${places.map(({ after }) => after)}::int[])
      WITH ORDINALITY AS place(run_id, after, n)
    CROSS JOIN LATERAL (
      SELECT seq, at, type, data FROM run_events
      WHERE run_id = place.run_id AND seq > place.after ORDER BY seq LIMIT ${PAGE}::int) event
    ORDER BY place.n, event.seq`);
  const rows = places.map((): EventRow[] => []);
  for (const { place, ...row } of found) rows[place - 1]!.push(row);
  return rows;
}

/** Returns the sequence number and type of a run's newest event; 0 and null if it has none. */
export async function newestEvent(
  db: Database,
  runId: string,
): Promise<{ seq: number; type: string | null }> {
  const [newest] = await db.$statement<{ seq: number; type: string }>(Prisma.sql`
    /* newest event */ SELECT seq, type FROM run_events WHERE run_id = ${runId} ORDER BY seq DESC LIMIT 1`);
  return newest ?? { seq: 0, type: null };
}
