import type { ModelCall } from '../generated/client.js';
import type { Database } from '../client.js';
import { pageByTime, type PageRequest } from '../page.js';

/** Usage on one day, in UTC. */
interface DayUsage {
  day: string;
  runs: number;
  model_calls: number;
  input_tokens: number;
  output_tokens: number;
  cost: number;
}

/** Recorded usage of models. */
export class UsageRepository {
  constructor(private readonly db: Database) {}

  /** Returns a page of a run's own model calls, oldest first. */
  callsOfRun(tenantId: string, runId: string, request: PageRequest): Promise<ModelCall[]> {
    const { where, orderBy, take } = pageByTime(request, 'asc');
    return this.db.modelCall.findMany({ where: { AND: [{ tenantId, runId }, where] }, orderBy, take });
  }

  /** Returns a tenant's last `days` days, oldest first, with zeroes for days without usage. */
  days(tenantId: string, days: number): Promise<DayUsage[]> {
    return this.db.$queryRaw<DayUsage[]>`
      WITH today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day),
      days AS (
        SELECT generate_series(day - ${days}::int + 1, day, interval '1 day')::date AS day FROM today
      ), calls AS (
        SELECT (created_at AT TIME ZONE 'UTC')::date AS day, count(*)::int AS calls, sum(input_tokens)::float AS input,
               sum(output_tokens)::float AS output, sum(cost)::float AS cost
        FROM model_calls
        WHERE tenant_id = ${tenantId} AND created_at >= (SELECT min(day) FROM days) AT TIME ZONE 'UTC'
        GROUP BY 1
      ), made AS (
        SELECT (created_at AT TIME ZONE 'UTC')::date AS day, count(*)::int AS runs
        FROM runs
        WHERE tenant_id = ${tenantId} AND created_at >= (SELECT min(day) FROM days) AT TIME ZONE 'UTC'
        GROUP BY 1
      )
      SELECT to_char(days.day, 'YYYY-MM-DD') AS day, coalesce(made.runs, 0) AS runs, coalesce(calls.calls, 0) AS model_calls,
             coalesce(calls.input, 0) AS input_tokens, coalesce(calls.output, 0) AS output_tokens,
             coalesce(calls.cost, 0) AS cost
      FROM days LEFT JOIN calls USING (day) LEFT JOIN made USING (day) ORDER BY day`;
  }
}
