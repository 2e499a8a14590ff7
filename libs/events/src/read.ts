import { runEventSchema, type RunEvent } from '#contracts/events.js';
import { Prisma, type Database } from '#db/client.js';

/** Events read at once. */
export const PAGE = 500;

/** The events of a run after a sequence number, oldest first. */
export async function readEvents(
  db: Database,
  runId: string,
  after: number,
  limit = PAGE,
): Promise<RunEvent[]> {
  const rows = await db.$statement<{ seq: number; at: Date; type: string; data: unknown }>(Prisma.sql`
    /* read events */ SELECT seq, at, type, data FROM run_events
    WHERE run_id = ${runId} AND seq > ${after}::int ORDER BY seq LIMIT ${limit}::int`);
  return rows.map(({ seq, at, type, data }) =>
    runEventSchema.parse({ seq, at: at.toISOString(), run_id: runId, type, data }),
  );
}

/** Sequence number and type of a run's newest event; 0 and no type when it has none. */
export async function newestEvent(
  db: Database,
  runId: string,
): Promise<{ seq: number; type: string | null }> {
  const [newest] = await db.$statement<{ seq: number; type: string }>(Prisma.sql`
    /* newest event */ SELECT seq, type FROM run_events WHERE run_id = ${runId} ORDER BY seq DESC LIMIT 1`);
  return newest ?? { seq: 0, type: null };
}
