import type { GatewaySettings } from '#config/settings.js';
import type { RunBudget } from '#contracts/budgets.js';
import { ProblemError } from '#contracts/errors.js';
import type { Database } from '#db/client.js';
import { ModelUsageRepository } from '#db/repositories/model-usage.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { DATABASE, SETTINGS } from '#runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';

/**
 * Keeps tenants within what they may use. Uploads at the same time may pass the limit together, each by its own size. What
 * runs spend on models is reserved call by call (`reserve_model_call`); here a run that could make none is refused.
 */
@Injectable()
export class QuotaService {
  private readonly tenants: TenantRepository;
  private readonly modelUsage: ModelUsageRepository;

  constructor(
    @Inject(DATABASE) db: Database,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {
    this.tenants = new TenantRepository(db);
    this.modelUsage = new ModelUsageRepository(db);
  }

  /**
   * @param added bytes that are about to be kept
   * @throws ProblemError `storage_quota_exceeded`
   */
  async requireStorage(tenantId: string, added: number): Promise<void> {
    const tenant = await this.tenants.find(tenantId);
    const limit = tenant?.maxStorageBytes ?? BigInt(this.settings.MAX_TENANT_STORAGE_BYTES);
    const storageBytes = await this.tenants.storageBytes(tenantId);
    if (storageBytes + BigInt(added) <= limit) return;
    throw new ProblemError(
      'storage_quota_exceeded',
      `The tenant uses ${storageBytes} of ${limit} bytes. Delete sessions or inputs, or ask the operator for more.`,
    );
  }

  /**
   * @param budget the run's own
   * @throws ProblemError `token_quota_exceeded` or `cost_quota_exceeded` when nothing is left of the month;
   *   `model_price_unknown` when a budget is in money and the model has no price
   */
  async requireModelBudget(tenantId: string, budget: RunBudget): Promise<void> {
    const tenant = await this.tenants.find(tenantId);
    const maxTokens = tenant?.maxMonthlyTokens ?? null;
    const maxCost = tenant?.maxMonthlyCost ?? null;
    if (maxCost !== null || budget.max_cost !== undefined) this.requirePrice();
    if (maxTokens === null && maxCost === null) return;
    const { spent } = await this.modelUsage.month(tenantId);
    if (maxTokens !== null && spent.tokens >= maxTokens)
      throw new ProblemError(
        'token_quota_exceeded',
        `The tenant used ${spent.tokens} of ${maxTokens} tokens. Wait for the next month, or ask the operator for more.`,
      );
    if (maxCost !== null && spent.cost >= maxCost)
      throw new ProblemError(
        'cost_quota_exceeded',
        `The tenant spent ${spent.cost} of ${maxCost} millionths. Wait for the next month, or ask the operator for more.`,
      );
  }

  /** Without a model the offline scribe writes, at no cost. */
  private requirePrice(): void {
    const { OPENAI_MODEL: model, MODEL_PRICES: prices = {} } = this.settings;
    if (model === undefined || Object.hasOwn(prices, model)) return;
    throw new ProblemError(
      'model_price_unknown',
      'A cost budget applies, but the model has no price. Ask the operator to set it (MODEL_PRICES), or use max_tokens.',
    );
  }
}
