import { newId } from '#contracts/ids.js';
import type { Database } from '../client.js';
import type { Tenant } from '../generated/client.js';
import { pageByTime, type PageRequest } from '../page.js';
import { storageBytes } from '../storage-bytes.js';
import { ApiKeyRepository, type Caller } from './api-keys.js';

export type { Caller, Tenant };

/** What a tenant may use; null takes the gateway's setting, and for tokens and cost means no limit. */
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

/** Tenants, what they may use and what they use. */
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

  /** Shuts a tenant out (its runs stay as they are) or lets it in again; false when there is none of that id. */
  async setSuspended(tenantId: string, isSuspended: boolean): Promise<boolean> {
    const suspendedAt = isSuspended ? new Date() : null;
    const { count } = await this.db.tenant.updateMany({ where: { id: tenantId }, data: { suspendedAt } });
    return count === 1;
  }

  /** False when there is no tenant of that id. */
  async setLimits(tenantId: string, limits: TenantLimits): Promise<boolean> {
    const { count } = await this.db.tenant.updateMany({ where: { id: tenantId }, data: limits });
    return count === 1;
  }

  /** Bytes of uploads and exports. */
  storageBytes(tenantId: string): Promise<bigint> {
    return storageBytes(this.db, tenantId);
  }

  /** Makes an API key with every scope. This is the only time that it can be seen. */
  async createApiKey(tenantId: string, name: string): Promise<string> {
    return (await this.keys.create(tenantId, { name })).key;
  }

  /** The caller that an API key belongs to, or null when it is malformed, unknown, expired or revoked. */
  authenticate(key: string): Promise<Caller | null> {
    return this.keys.authenticate(key);
  }
}
