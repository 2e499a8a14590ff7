import type { GatewaySettings } from '#config/settings.js';
import { ProblemError } from '#contracts/errors.js';
import type { Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { DATABASE, SETTINGS } from '#runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';

/** Keeps tenants within what they may use. Requests at the same time may pass a limit together, each by its own size. */
@Injectable()
export class QuotaService {
  private readonly tenants: TenantRepository;

  constructor(
    @Inject(DATABASE) db: Database,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {
    this.tenants = new TenantRepository(db);
  }

  /**
   * @param added bytes that are about to be kept
   * @throws ProblemError `storage_quota_exceeded`
   */
  async requireStorage(tenantId: string, added: number): Promise<void> {
    const tenant = await this.tenants.find(tenantId);
    const limit = tenant?.maxStorageBytes ?? BigInt(this.settings.MAX_TENANT_STORAGE_BYTES);
    const { storageBytes } = await this.tenants.usage(tenantId);
    if (storageBytes + BigInt(added) <= limit) return;
    throw new ProblemError(
      'storage_quota_exceeded',
      `The tenant uses ${storageBytes} of ${limit} bytes. Delete sessions or inputs, or ask the operator for more.`,
    );
  }

  /** @throws ProblemError `token_quota_exceeded` when nothing is left for another run */
  async requireTokens(tenantId: string): Promise<void> {
    const limit = (await this.tenants.find(tenantId))?.maxMonthlyTokens ?? null;
    if (limit === null) return;
    const { monthlyTokens } = await this.tenants.usage(tenantId);
    if (monthlyTokens < limit) return;
    throw new ProblemError(
      'token_quota_exceeded',
      `The tenant used ${monthlyTokens} of ${limit} tokens. Wait for the next month, or ask the operator for more.`,
    );
  }
}
