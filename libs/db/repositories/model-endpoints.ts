import type { ModelPrices } from '#contracts/budgets.js';
import { Prisma, type Database } from '../client.js';
import { toJsonb } from '../jsonb.js';

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
