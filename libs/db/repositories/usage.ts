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

/** Usage of a key, a session or a kind of run. */
interface CostRow {
  id: string | null;
  name: string | null;
  model_calls: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  cost: number;
}

/** Rows of each group; the usage of all others is one more row. */
const MOST_ROWS = 200;

/** Recorded usage of models. */
export class UsageRepository {
  constructor(private readonly db: Database) {}

  /** Returns a page of a run's own model calls, oldest first. */
  callsOfRun(tenantId: string, runId: string, request: PageRequest): Promise<ModelCall[]> {
    const { where, orderBy, take } = pageByTime(request, 'asc');
    return this.db.modelCall.findMany({ where: { AND: [{ tenantId, runId }, where] }, orderBy, take });
  }

  /** Returns a tenant's usage of the last `days` days by key, session and kind, highest cost first. */
  async costs(tenantId: string, days: number): Promise<Record<'key' | 'project' | 'kind', CostRow[]>> {
    const rows = await this.db.$queryRaw<(CostRow & { group: 'key' | 'project' | 'kind' })[]>`
      WITH used AS (
        SELECT grouping(r.kind, r.api_key_id, r.session_id) AS bits, coalesce(r.kind, r.api_key_id, r.session_id) AS id,
               count(*) AS calls, sum(c.input_tokens) AS input, sum(c.cached_tokens) AS cached,
               sum(c.output_tokens) AS output, sum(c.cost) AS cost
        FROM model_calls c LEFT JOIN runs r ON r.id = c.run_id
        WHERE c.tenant_id = ${tenantId}
          AND c.created_at >= ((now() AT TIME ZONE 'UTC')::date - ${days}::int + 1) AT TIME ZONE 'UTC'
        GROUP BY GROUPING SETS ((r.kind), (r.api_key_id), (r.session_id))
      ), ranked AS (
        SELECT *, row_number() OVER (PARTITION BY bits ORDER BY cost DESC, input + output DESC) <= ${MOST_ROWS} AS is_shown FROM used
      ), shown AS (
        SELECT CASE bits WHEN 3 THEN 'kind' WHEN 5 THEN 'key' ELSE 'project' END AS "group", CASE WHEN is_shown THEN id END AS id,
               sum(calls)::float AS model_calls, sum(input)::float AS input_tokens, sum(cached)::float AS cached_tokens,
               sum(output)::float AS output_tokens, sum(cost)::float AS cost
        FROM ranked GROUP BY 1, 2
      )
      SELECT shown.*, coalesce(k.name, b.title, s.title) AS name
      FROM shown LEFT JOIN api_keys k ON k.id = shown.id AND "group" = 'key'
        LEFT JOIN sessions s ON s.id = shown.id AND "group" = 'project'
        LEFT JOIN book_projects b ON b.session_id = s.id
      ORDER BY cost DESC, input_tokens + output_tokens DESC, shown.id`;
    const of = (wanted: string) =>
      rows.filter(({ group }) => group === wanted).map(({ group: _, ...row }) => row);
    return { key: of('key'), project: of('project'), kind: of('kind') };
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
