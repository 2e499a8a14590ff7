import type { PageRequest } from '#db/page.js';
import { UsageRepository } from '#db/repositories/usage.js';
import { Controller } from '@nestjs/common';
import { byTime, readPage } from '../http/page.js';
import { Route, type EndpointRequest } from '../http/route.js';
import { RunsService } from '../runs/runs.service.js';
import { TenantsService } from '../tenants/tenants.service.js';

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
