import type { ModelPrices } from '#contracts/budgets.js';
import { Prisma, type Database } from '../client.js';
import { toJsonb } from '../jsonb.js';
import { asService, asTenant } from '../tenant-scope.js';

/** A stored profile; its content belongs to the model layer. */
interface ProfileRow {
  profile: unknown;
  checkedAt: Date | null;
  /** Reason why the last check failed; null if it succeeded. */
  checkFailed: string | null;
  updatedAt: Date;
}

export interface ProfileKey {
  /** Hash of the endpoint's address and owner. */
  endpoint: string;
  model: string;
  /** Tenant whose endpoint it is; undefined for the installation's. */
  owner: string | undefined;
}

/** Profiles of models. Those of a tenant's endpoint are rows of the tenant. */
export class ModelProfileRepository {
  constructor(private readonly db: Database) {}

  async find({ endpoint, model, owner }: ProfileKey): Promise<ProfileRow | null> {
    const [row] = await this.within(owner, () =>
      this.db.$statement<ProfileRow>(Prisma.sql`
        /* model profile */ SELECT profile, checked_at AS "checkedAt", check_failed AS "checkFailed", updated_at AS "updatedAt"
        FROM model_profiles WHERE endpoint = ${endpoint} AND model = ${model}`),
    );
    return row ?? null;
  }

  /**
   * Stores a profile.
   *
   * @param wasChecked whether everything was asked for just now
   * @returns when it was stored
   */
  async save({ endpoint, model, owner }: ProfileKey, profile: object, wasChecked: boolean): Promise<Date> {
    const [row] = await this.within(owner, () =>
      this.db.$statement<Pick<ProfileRow, 'updatedAt'>>(Prisma.sql`
        /* save model profile */ INSERT INTO model_profiles AS p (endpoint, model, tenant_id, profile, checked_at, updated_at)
        VALUES (${endpoint}, ${model}, ${owner ?? null}, ${toJsonb(profile)}::jsonb,
          CASE WHEN ${wasChecked} THEN clock_timestamp() END, clock_timestamp())
        ON CONFLICT (endpoint, model) DO UPDATE SET profile = EXCLUDED.profile,
          checked_at = coalesce(EXCLUDED.checked_at, p.checked_at), updated_at = EXCLUDED.updated_at,
          check_failed = CASE WHEN ${wasChecked} THEN NULL ELSE p.check_failed END
        RETURNING updated_at AS "updatedAt"`),
    );
    return row!.updatedAt;
  }

  /**
   * Claims the check at the first use of a model.
   *
   * @returns false if the model was checked, or its first check claimed before
   */
  async claimFirstCheck({ endpoint, model, owner }: ProfileKey): Promise<boolean> {
    const rows = await this.within(owner, () =>
      this.db.$statement<object>(Prisma.sql`
        /* claim first check of model */ UPDATE model_profiles SET first_check_at = clock_timestamp()
        WHERE endpoint = ${endpoint} AND model = ${model} AND first_check_at IS NULL AND checked_at IS NULL
        RETURNING model`),
    );
    return rows.length > 0;
  }

  /** Stores why a check failed. */
  async failCheck({ endpoint, model, owner }: ProfileKey, reason: string): Promise<void> {
    await this.within(owner, () =>
      this.db.$statement(Prisma.sql`
        /* failed check of model */ UPDATE model_profiles SET check_failed = ${reason}, updated_at = clock_timestamp()
        WHERE endpoint = ${endpoint} AND model = ${model}`),
    );
  }

  private within<T>(owner: string | undefined, work: () => Promise<T>): Promise<T> {
    return owner === undefined ? asService(work) : asTenant(owner, work);
  }
}

/** The model endpoint of a tenant. */
export interface ModelEndpointRow {
  baseUrl: string;
  /** Sealed; null for a server without keys. */
  apiKey: string | null;
  model: string;
  fastModel: string | null;
  embeddingModel: string | null;
  contextTokens: number | null;
  prices: ModelPrices;
}

/** Model endpoints of tenants that do not use the installation's. */
export class ModelEndpointRepository {
  constructor(private readonly db: Database) {}

  async find(tenantId: string): Promise<ModelEndpointRow | null> {
    const [row] = await this.db.$statement<ModelEndpointRow>(Prisma.sql`
      /* model endpoint */ SELECT base_url AS "baseUrl", api_key AS "apiKey", model, fast_model AS "fastModel",
        embedding_model AS "embeddingModel", context_tokens AS "contextTokens", prices
      FROM model_endpoints WHERE tenant_id = ${tenantId}`);
    return row ?? null;
  }

  async save(tenantId: string, endpoint: ModelEndpointRow): Promise<void> {
    const { baseUrl, apiKey, model, fastModel, embeddingModel, contextTokens, prices } = endpoint;
    await this.db.$statement(Prisma.sql`
      /* save model endpoint */ INSERT INTO model_endpoints
        (tenant_id, base_url, api_key, model, fast_model, embedding_model, context_tokens, prices)
      VALUES (${tenantId}, ${baseUrl}, ${apiKey}, ${model}, ${fastModel}, ${embeddingModel}, ${contextTokens}::int,
        ${toJsonb(prices)}::jsonb)
      ON CONFLICT (tenant_id) DO UPDATE SET base_url = EXCLUDED.base_url, api_key = EXCLUDED.api_key,
        model = EXCLUDED.model, fast_model = EXCLUDED.fast_model, embedding_model = EXCLUDED.embedding_model,
        context_tokens = EXCLUDED.context_tokens, prices = EXCLUDED.prices, updated_at = now()`);
  }

  /** Removes the endpoint and the stored facts about its models. */
  async remove(tenantId: string): Promise<void> {
    await this.db.$transaction([
      this.db.modelEndpoint.deleteMany({ where: { tenantId } }),
      this.db.modelProfile.deleteMany({ where: { tenantId } }),
    ]);
  }
}
