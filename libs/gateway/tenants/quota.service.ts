import type { GatewaySettings } from '#config/settings.js';
import type { RunBudget } from '#contracts/budgets.js';
import { ProblemError } from '#contracts/errors.js';
import { moneyPhrase } from '#contracts/phrases/parts.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { ModelUsageRepository } from '#db/repositories/model-usage.js';
import {
  SessionFileRepository,
  type AddedFile,
  type NewSessionFile,
} from '#db/repositories/session-files.js';
import { storageBytes } from '#db/unnamed-objects.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import type { Admit } from '#engine/history/session-copy.js';
import { ModelEndpoints } from '#kit/model/model-endpoints.js';
import { DATABASE, SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';

/**
 * Enforces the quotas of tenants. Files are counted when they are added, one request of a tenant at a time.
 * The model budget is reserved call by call (`reserve_model_call`); this class refuses runs that could make
 * no call.
 */
@Injectable()
export class QuotaService {
  private readonly models: ModelEndpoints;

  constructor(
    @Inject(DATABASE) db: Database,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    private readonly tenants: TenantRepository,
    private readonly modelUsage: ModelUsageRepository,
    private readonly files: SessionFileRepository,
  ) {
    this.models = new ModelEndpoints(db, settings);
  }

  /**
   * @param added bytes about to be stored
   * @throws ProblemError `storage_quota_exceeded`
   */
  async requireStorage(tenantId: string, added: number): Promise<void> {
    requireFit(added, await this.tenants.storageBytes(tenantId), await this.storageLimit(tenantId));
  }

  /**
   * Returns a check that admits copies of the tenant's sessions, one at a time like uploads. It throws
   * ProblemError `storage_quota_exceeded`.
   */
  async copyAdmission(tenantId: string): Promise<Admit> {
    const limit = await this.storageLimit(tenantId);
    return async (bytes, tx) => requireFit(bytes, await storageBytes(tx, tenantId), limit);
  }

  /** Returns the maximum number of bytes that a tenant may store. */
  async storageLimit(tenantId: string): Promise<bigint> {
    const tenant = await this.tenants.find(tenantId);
    return tenant?.maxStorageBytes ?? BigInt(this.settings.MAX_TENANT_STORAGE_BYTES);
  }

  /**
   * Adds the inputs of one upload, all or none.
   *
   * @throws ProblemError `storage_quota_exceeded`, `too_many_files`, `file_exists`
   */
  async addInputs(tenantId: string, files: NewSessionFile[]): Promise<AddedFile[]> {
    const bytes = await this.storageLimit(tenantId);
    const limits = { bytes, files: this.settings.MAX_FILES_PER_SESSION, refuseOther: true };
    return this.files.addWithin(tenantId, files, limits);
  }

  /**
   * @param budget of the run
   * @throws ProblemError `token_quota_exceeded` or `cost_quota_exceeded` if the month's budget is spent;
   *   `model_price_unknown` if a budget is in money and the model lacks a price
   */
  async requireModelBudget(tenantId: string, budget: RunBudget): Promise<void> {
    const { maxTokens, maxCost } = await this.modelUsage.monthlyLimits(tenantId);
    if (maxCost !== null || budget.max_cost !== undefined) await this.requirePrice(tenantId);
    if (maxTokens === null && maxCost === null) return;
    const { spent } = await this.modelUsage.month(tenantId);
    if (maxTokens !== null && spent.tokens >= maxTokens)
      throw new ProblemError(
        'token_quota_exceeded',
        phrase('token_quota_exceeded.used', { used: spent.tokens, limit: maxTokens }),
      );
    if (maxCost !== null && spent.cost >= maxCost)
      throw new ProblemError(
        'cost_quota_exceeded',
        phrase('cost_quota_exceeded.spent', { spent: moneyPhrase(spent.cost), limit: moneyPhrase(maxCost) }),
      );
  }

  /** Requires a price for the model. Without a model, the offline writer works at no cost. */
  private async requirePrice(tenantId: string): Promise<void> {
    const endpoint = await this.models.describe(tenantId);
    if (!endpoint || Object.hasOwn(endpoint.prices, endpoint.model)) return;
    throw new ProblemError('model_price_unknown', phrase('model_price_unknown.set_price'));
  }
}

function requireFit(added: number, used: bigint, limit: bigint): void {
  if (used + BigInt(added) <= limit) return;
  throw new ProblemError(
    'storage_quota_exceeded',
    phrase('storage_quota_exceeded.used', { used: String(used), limit: String(limit) }),
  );
}
