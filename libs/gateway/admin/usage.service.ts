import { ACTIVE_STATUSES, SHOWN_STATUS } from '#db/shown-status.js';
import type { tenantUsageSchema, usageQuery } from '#contracts/api/operations-schemas.js';
import { type Database, Prisma } from '#db/client.js';
import type { PageRequest, TimePosition } from '#db/page.js';
import { DATABASE } from '#kit/runtime/infrastructure.module.js';
import { UsageRepository } from '#db/repositories/usage.js';
import { Controller, Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { byTime, type CursorFormat, readPage } from '../http/page.js';
import { type EndpointRequest, Route } from '../http/route.js';
import { RunsService } from '../runs/runs.service.js';
import { TenantsService } from '../tenants/tenants.service.js';

type Row = z.infer<typeof tenantUsageSchema> & { created_at: Date };

const byTenant: CursorFormat<Row, TimePosition> = {
  ...byTime,
  write: ({ created_at, tenant_id }) => [created_at.getTime(), tenant_id],
};

/** Usage of each tenant, for the operator. */
@Injectable()
export class UsageService {
  constructor(@Inject(DATABASE) private readonly db: Database) {}

  /**
   * Lists tenants, oldest first, with their runs, model calls and tokens of the last `days` days.
   *
   * @throws ProblemError `invalid_request` for a wrong cursor
   */
  ofTenants(query: z.infer<typeof usageQuery>) {
    return readPage(
      query,
      byTenant,
      (request: PageRequest) => this.read(query.days, request),
      (rows) => rows.map(({ created_at: _, ...usage }) => usage),
    );
  }

  private read(days: number, { take, after }: PageRequest): Promise<Row[]> {
    const behind = after
      ? Prisma.sql`(created_at, id) > (${after.createdAt}, ${after.id})`
      : Prisma.sql`true`;
    return this.db.$queryRaw<Row[]>`
      WITH page AS (
        SELECT id, name, created_at FROM tenants WHERE ${behind} ORDER BY created_at, id LIMIT ${take}
      ), made AS (
        SELECT tenant_id, ${SHOWN_STATUS} AS status, count(*)::int AS runs FROM runs r
        WHERE tenant_id IN (SELECT id FROM page) AND created_at > now() - make_interval(days => ${days})
        GROUP BY 1, 2
      ), runs_of AS (
        SELECT tenant_id, jsonb_object_agg(status, runs) AS runs FROM made GROUP BY tenant_id
      ), calls AS (
        SELECT tenant_id, count(*)::int AS model_calls, sum(input_tokens)::float AS input_tokens,
               sum(output_tokens)::float AS output_tokens, sum(cost)::float AS cost
        FROM model_calls
        WHERE tenant_id IN (SELECT id FROM page) AND created_at > now() - make_interval(days => ${days})
        GROUP BY tenant_id
      ), stored AS (
        SELECT tenant_id, sum(size)::float AS bytes FROM (
          SELECT tenant_id, size FROM session_files UNION ALL SELECT tenant_id, size FROM exports
          UNION ALL SELECT tenant_id, size FROM knowledge_sources) files
        WHERE tenant_id IN (SELECT id FROM page) GROUP BY tenant_id
      )
      SELECT page.id AS tenant_id, page.name, page.created_at,
        (SELECT count(*)::int FROM sessions s WHERE s.tenant_id = page.id) AS sessions,
        (SELECT count(*)::int FROM runs r
          WHERE r.tenant_id = page.id AND r.status IN (${ACTIVE_STATUSES})) AS active_runs,
        coalesce(runs_of.runs, '{}') AS runs, coalesce(calls.model_calls, 0) AS model_calls,
        coalesce(calls.input_tokens, 0) AS input_tokens, coalesce(calls.output_tokens, 0) AS output_tokens,
        coalesce(calls.cost, 0) AS cost, coalesce(stored.bytes, 0) AS storage_bytes
      FROM page LEFT JOIN runs_of ON runs_of.tenant_id = page.id LEFT JOIN calls ON calls.tenant_id = page.id
        LEFT JOIN stored ON stored.tenant_id = page.id
      ORDER BY page.created_at, page.id`;
  }
}

/** Usage of runs and tenants, for the tenants themselves (X7). */
@Controller()
export class UsageController {
  constructor(
    private readonly runs: RunsService,
    private readonly tenants: TenantsService,
    private readonly usage: UsageRepository,
  ) {}

  @Route('listModelCalls')
  async calls({ tenantId, params: { run_id: runId }, query }: EndpointRequest<'listModelCalls'>) {
    await this.runs.require(tenantId, runId);
    const read = (request: PageRequest) => this.usage.callsOfRun(tenantId, runId, request);
    return readPage(query, byTime, read, (rows) =>
      rows.map((call) => ({
        id: call.id,
        at: call.createdAt.toISOString(),
        model: call.model,
        input_tokens: call.inputTokens,
        output_tokens: call.outputTokens,
        cached_tokens: call.cachedTokens,
        cache_write_tokens: call.cacheWriteTokens,
        reasoning_tokens: call.reasoningTokens,
        cost: Number(call.cost),
        estimated: call.estimated,
      })),
    );
  }

  @Route('getUsage')
  async own({ tenantId, query: { days } }: EndpointRequest<'getUsage'>) {
    const { storage_bytes, max_storage_bytes, ...tenant } = await this.tenants.read(tenantId);
    return {
      days: await this.usage.days(tenantId, days),
      costs: await this.usage.costs(tenantId, days),
      storage_bytes,
      max_storage_bytes,
      monthly_tokens: tenant.monthly_tokens,
      max_monthly_tokens: tenant.max_monthly_tokens,
      monthly_cost: tenant.monthly_cost,
      max_monthly_cost: tenant.max_monthly_cost,
    };
  }
}
