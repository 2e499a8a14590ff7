import type { GatewaySettings } from '#config/settings.js';
import type { PageQuery } from '#contracts/api/paging.js';
import type { tenantLimitsSchema, tenantSchema } from '#contracts/api/access-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { PageRequest } from '#db/page.js';
import { ApiKeyRepository, type CreatedApiKey } from '#db/repositories/api-keys.js';
import { ModelUsageRepository } from '#db/repositories/model-usage.js';
import { TenantRepository, type Tenant, type TenantLimits } from '#db/repositories/tenants.js';
import { deleteTenant } from '#engine/runs/delete.js';
import type { Engine } from '#engine/engine.js';
import { ENGINE, SETTINGS, STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { byTime, readPage } from '../http/page.js';

type TenantView = z.infer<typeof tenantSchema>;
type GivenLimits = z.infer<typeof tenantLimitsSchema>;

/** Tenants from the operator's perspective. */
@Injectable()
export class TenantsService {
  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    @Inject(STORE) private readonly store: ObjectStore,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    private readonly tenants: TenantRepository,
    private readonly keys: ApiKeyRepository,
    private readonly modelUsage: ModelUsageRepository,
  ) {}

  /** Returns a page of tenants, oldest first. @throws ProblemError `invalid_request` */
  list(query: PageQuery): Promise<{ items: TenantView[]; next_cursor: string | null }> {
    return readPage(
      query,
      byTime,
      (request: PageRequest) => this.tenants.page(request),
      async (rows) => {
        const views: TenantView[] = [];
        for (const tenant of rows) views.push(await this.view(tenant));
        return views;
      },
    );
  }

  /** Creates a tenant with a first key that has every scope. */
  async create(name: string, limits: GivenLimits): Promise<{ tenant: TenantView; created: CreatedApiKey }> {
    const id = await this.tenants.create(name);
    await this.tenants.setLimits(id, limitsOf(limits));
    return { tenant: await this.read(id), created: await this.keys.create(id, { name: 'first key' }) };
  }

  /** @throws ProblemError `not_found` */
  async change(tenantId: string, isSuspended: boolean | undefined, limits: GivenLimits): Promise<TenantView> {
    await this.require(tenantId);
    await this.tenants.setLimits(tenantId, limitsOf(limits));
    if (isSuspended !== undefined) await this.tenants.setSuspended(tenantId, isSuspended);
    this.keys.forgetKept();
    return this.read(tenantId);
  }

  /** Deletes a tenant with all its data. @throws ProblemError `not_found` */
  async remove(tenantId: string): Promise<void> {
    if (!(await deleteTenant(this.engine, this.store, tenantId))) throw unknownTenant();
    this.keys.forgetKept();
  }

  async read(tenantId: string): Promise<TenantView> {
    return this.view(await this.require(tenantId));
  }

  private async require(tenantId: string): Promise<Tenant> {
    const tenant = await this.tenants.find(tenantId);
    if (!tenant) throw unknownTenant();
    return tenant;
  }

  private async view(tenant: Tenant): Promise<TenantView> {
    const storageBytes = await this.tenants.storageBytes(tenant.id);
    const { spent } = await this.modelUsage.month(tenant.id);
    return {
      id: tenant.id,
      name: tenant.name,
      suspended: tenant.suspendedAt !== null,
      created_at: tenant.createdAt.toISOString(),
      max_active_runs: tenant.maxActiveRuns,
      weight: tenant.weight,
      requests_per_minute: tenant.requestsPerMinute ?? this.settings.RATE_LIMIT_PER_MINUTE,
      max_storage_bytes: Number(tenant.maxStorageBytes ?? this.settings.MAX_TENANT_STORAGE_BYTES),
      max_monthly_tokens: tenant.maxMonthlyTokens === null ? null : Number(tenant.maxMonthlyTokens),
      max_monthly_cost: tenant.maxMonthlyCost === null ? null : Number(tenant.maxMonthlyCost),
      storage_bytes: Number(storageBytes),
      monthly_tokens: spent.tokens,
      monthly_cost: spent.cost,
    };
  }
}

const unknownTenant = () => new ProblemError('not_found', phrase('not_found.tenant'));
const big = (value: number | null | undefined) => (typeof value === 'number' ? BigInt(value) : value);

function limitsOf(given: GivenLimits): TenantLimits {
  return {
    maxActiveRuns: given.max_active_runs,
    weight: given.weight,
    requestsPerMinute: given.requests_per_minute,
    maxStorageBytes: big(given.max_storage_bytes),
    maxMonthlyTokens: big(given.max_monthly_tokens),
    maxMonthlyCost: big(given.max_monthly_cost),
  };
}
