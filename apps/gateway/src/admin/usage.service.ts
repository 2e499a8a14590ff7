import type { tenantUsageSchema } from '#contracts/api/operations-schemas.js';
import type { Database } from '#db/client.js';
import { DATABASE } from '#runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';

type TenantUsage = z.infer<typeof tenantUsageSchema>;

/** What each tenant used, for the operator. */
@Injectable()
export class UsageService {
  constructor(@Inject(DATABASE) private readonly db: Database) {}

  /** @param days runs, model calls and tokens count when they were made in the last so many days */
  ofTenants(days: number): Promise<TenantUsage[]> {
    return this.db.$queryRaw<TenantUsage[]>`
      WITH made AS (
        SELECT tenant_id, status, count(*)::int AS runs FROM runs
        WHERE created_at > now() - make_interval(days => ${days}) GROUP BY tenant_id, status
      ), runs_of AS (
        SELECT tenant_id, jsonb_object_agg(status, runs) AS runs FROM made GROUP BY tenant_id
      ), calls AS (
        SELECT tenant_id, count(*)::int AS model_calls, sum(input_tokens)::float AS input_tokens,
               sum(output_tokens)::float AS output_tokens, sum(cost)::float AS cost
        FROM model_calls WHERE created_at > now() - make_interval(days => ${days}) GROUP BY tenant_id
      ), stored AS (
        SELECT tenant_id, sum(size)::float AS bytes FROM (
          SELECT tenant_id, size FROM session_files UNION ALL SELECT tenant_id, size FROM exports) files
        GROUP BY tenant_id
      )
      SELECT t.id AS tenant_id, t.name,
        (SELECT count(*)::int FROM sessions s WHERE s.tenant_id = t.id) AS sessions,
        (SELECT count(*)::int FROM runs r
          WHERE r.tenant_id = t.id AND r.status IN ('queued', 'running', 'waiting')) AS active_runs,
        coalesce(runs_of.runs, '{}') AS runs, coalesce(calls.model_calls, 0) AS model_calls,
        coalesce(calls.input_tokens, 0) AS input_tokens, coalesce(calls.output_tokens, 0) AS output_tokens,
        coalesce(calls.cost, 0) AS cost, coalesce(stored.bytes, 0) AS storage_bytes
      FROM tenants t LEFT JOIN runs_of ON runs_of.tenant_id = t.id LEFT JOIN calls ON calls.tenant_id = t.id
        LEFT JOIN stored ON stored.tenant_id = t.id
      ORDER BY t.created_at, t.id`;
  }
}
