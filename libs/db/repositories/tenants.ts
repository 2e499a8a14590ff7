import { newId } from '#contracts/ids.js';
import type { Database } from '../client.js';
import type { Tenant } from '../generated/client.js';
import { pageByTime, type PageRequest } from '../page.js';
import { storageBytes } from '../unnamed-objects.js';
import { ApiKeyRepository, type Caller } from './api-keys.js';

export type { Caller, Tenant };

/** Limits of a tenant; null means the gateway's setting, and for tokens and cost no limit. */
export interface TenantLimits {
  maxActiveRuns?: number;
  /** 1–100. */
  weight?: number;
  requestsPerMinute?: number | null;
  maxStorageBytes?: bigint | null;
  maxMonthlyTokens?: bigint | null;
  /** Millionths of the currency. */
  maxMonthlyCost?: bigint | null;
}

/** Tenants with their limits and usage. */
export class TenantRepository {
  private readonly keys: ApiKeyRepository;

  constructor(private readonly db: Database) {
    this.keys = new ApiKeyRepository(db);
  }

  async create(name: string): Promise<string> {
    const { id } = await this.db.tenant.create({ data: { id: newId('ten'), name } });
    return id;
  }

  count(): Promise<number> {
    return this.db.tenant.count();
  }

  page(request: PageRequest): Promise<Tenant[]> {
    return this.db.tenant.findMany(pageByTime(request, 'asc'));
  }

  find(tenantId: string): Promise<Tenant | null> {
    return this.db.tenant.findFirst({ where: { id: tenantId } });
  }

  /**
   * Suspends a tenant or lifts the suspension; false if the tenant does not exist. Runs of a suspended tenant stop after
   * their current step, and continue when the suspension ends.
   */
  async setSuspended(tenantId: string, isSuspended: boolean): Promise<boolean> {
    const suspendedAt = isSuspended ? new Date() : null;
    const { count } = await this.db.tenant.updateMany({ where: { id: tenantId }, data: { suspendedAt } });
    return count === 1;
  }

  /** Sets limits; false if the tenant does not exist. */
  async setLimits(tenantId: string, limits: TenantLimits): Promise<boolean> {
    const { count } = await this.db.tenant.updateMany({ where: { id: tenantId }, data: limits });
    return count === 1;
  }

  /** Returns the bytes of uploads and exports. */
  storageBytes(tenantId: string): Promise<bigint> {
    return storageBytes(this.db, tenantId);
  }

  /** Creates an API key with every scope; its secret cannot be read again later. */
  async createApiKey(tenantId: string, name: string): Promise<string> {
    return (await this.keys.create(tenantId, { name })).key;
  }

  /** Returns the caller of an API key; null if it is malformed, unknown, expired or revoked. */
  authenticate(key: string): Promise<Caller | null> {
    return this.keys.authenticate(key);
  }
}
