import type { Database } from '#db/client.js';

/** Returns the milliseconds from a run's pause for a worker to its next step, by the database's clock. */
export async function hopMs(db: Database, runId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ ms: number }[]>`
    SELECT extract(epoch FROM (max(e.at) FILTER (WHERE e.data->>'status' = 'running') - min(e.at) FILTER (WHERE e.data->>'status' = 'waiting'))) * 1000 AS ms
    FROM run_events e WHERE e.run_id = ${runId} AND e.type = 'run_status'`;
  return Number(row!.ms);
}
