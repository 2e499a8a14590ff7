import { runEventSchema, type RunEvent } from '#contracts/events.js';
import type { Database } from '#db/client.js';

/** Events read at once. */
export const PAGE = 500;

/** The events of a run after a sequence number, oldest first. */
export async function readEvents(
  db: Database,
  runId: string,
  after: number,
  limit = PAGE,
): Promise<RunEvent[]> {
  const rows = await db.runEvent.findMany({
    where: { runId, seq: { gt: after } },
    orderBy: { seq: 'asc' },
    take: limit,
  });
  return rows.map(({ seq, at, type, data }) =>
    runEventSchema.parse({ seq, at: at.toISOString(), run_id: runId, type, data }),
  );
}

/** Sequence number and type of a run's newest event; 0 and no type when it has none. */
export async function newestEvent(
  db: Database,
  runId: string,
): Promise<{ seq: number; type: string | null }> {
  const select = { seq: true, type: true };
  const newest = await db.runEvent.findFirst({ where: { runId }, orderBy: { seq: 'desc' }, select });
  return newest ?? { seq: 0, type: null };
}
