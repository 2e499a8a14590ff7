import { type ModelPrice, type ModelPrices, costOf } from '#contracts/budgets.js';
import { embeddingOf } from '#config/settings.js';
import type { Database, DatabaseOrTransaction } from '#db/client.js';
import { asTenant } from '#db/tenant-scope.js';
import { ModelEndpoints, type ModelEndpoint } from '#kit/model/model-endpoints.js';
import { OpenAiEmbedder, type Embedder, type EmbedderConfig, type Embeddings } from '#llm/embeddings.js';
import { endpointKey, OPENAI } from '#llm/profile/model-profile.js';
import { englishText, phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import { ModelUsageRepository } from '#db/repositories/model-usage.js';

/** A model that embeds the texts of a tenant. */
export interface EmbeddingModel {
  /** Stored with its vectors; vectors with different labels are never compared. */
  label: string;
  embedder: Embedder;
  /** Undefined if none is set. */
  price: ModelPrice | undefined;
}

/** The embedding models of tenants. */
export interface EmbeddingModels {
  /** Returns the model that embeds new passages; null if the tenant's search uses words only. */
  current(tenantId: string): Promise<EmbeddingModel | null>;
  /** Returns the model of stored vectors; null if its server is not configured any more. */
  ofVectors(tenantId: string, label: string): Promise<EmbeddingModel | null>;
}

type Settings = Parameters<typeof embeddingOf>[0] &
  ConstructorParameters<typeof ModelEndpoints>[1] & { MODEL_PRICES?: ModelPrices | undefined };

/** Returns the embedding models of all tenants: their own, or the installation's. */
export function embeddingModels(db: Database, settings: Settings): EmbeddingModels {
  const installed = new InstalledModels(embeddingOf(settings), settings.MODEL_PRICES);
  return new TenantModels(new ModelEndpoints(db, settings), installed);
}

/** Number of embedders that are kept. */
const MAX_EMBEDDERS = 200;

/** Keeps the embedders in use, because each checks that its vectors have the same length. */
class Embedders {
  private readonly kept = new Map<string, Embedder>();

  of(config: EmbedderConfig): Embedder {
    const key = JSON.stringify([config.baseUrl, config.apiKey, config.model]);
    const embedder = this.kept.get(key) ?? new OpenAiEmbedder(config);
    // The embedder that was not used for longest is the first.
    this.kept.delete(key);
    this.kept.set(key, embedder);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_EMBEDDERS) this.kept.delete(oldest!);
    return embedder;
  }
}

/** The installation's embedding server. It also embeds queries for older models whose vectors are still in service. */
export class InstalledModels implements EmbeddingModels {
  private readonly embedders = new Embedders();

  /** @param config null without an embedding model */
  constructor(
    private readonly config: EmbedderConfig | null,
    private readonly prices: ModelPrices = {},
  ) {}

  current(): Promise<EmbeddingModel | null> {
    return Promise.resolve(this.config && this.named(this.config, this.config.model));
  }

  ofVectors(_tenantId: string, label: string): Promise<EmbeddingModel | null> {
    return Promise.resolve(this.config && this.named(this.config, label));
  }

  private named(config: EmbedderConfig, model: string): EmbeddingModel {
    return { label: model, embedder: this.embedders.of({ ...config, model }), price: this.prices[model] };
  }
}

/** A label names a tenant's endpoint, because another server may use the same name for another model. */
const OF_ENDPOINT = / \(endpoint [0-9a-f]{8}\)$/;

class TenantModels implements EmbeddingModels {
  private readonly embedders = new Embedders();

  constructor(
    private readonly endpoints: ModelEndpoints,
    private readonly installed: InstalledModels,
  ) {}

  async current(tenantId: string): Promise<EmbeddingModel | null> {
    const endpoint = await this.endpointOf(tenantId);
    const model = endpoint?.embeddingModel;
    return endpoint && model !== undefined ? this.named(endpoint, model) : this.installed.current();
  }

  async ofVectors(tenantId: string, label: string): Promise<EmbeddingModel | null> {
    if (!OF_ENDPOINT.test(label)) return this.installed.ofVectors(tenantId, label);
    const endpoint = await this.endpointOf(tenantId);
    const own = endpoint && this.named(endpoint, label.replace(OF_ENDPOINT, ''));
    return own?.label === label ? own : null;
  }

  private endpointOf(tenantId: string): Promise<ModelEndpoint | null> {
    return asTenant(tenantId, () => this.endpoints.ownOf(tenantId));
  }

  private named({ owner, baseUrl = OPENAI, apiKey, prices, send }: ModelEndpoint, model: string) {
    const label = `${model} (endpoint ${endpointKey(baseUrl, owner).slice(0, 8)})`;
    return { label, embedder: this.embedders.of({ model, baseUrl, apiKey, send }), price: prices[model] };
  }
}

/** The tenant's monthly budget does not allow an embedding. */
export class EmbeddingBudgetError extends Error {
  override readonly name = 'EmbeddingBudgetError';
  readonly phrase = phrase('source_problem.budget');

  constructor() {
    super(englishText(phrase('source_problem.budget')));
  }
}

/** Checks embeddings against the tenant's monthly budgets and records their usage (X7). */
export class EmbeddingUsage {
  constructor(private readonly db: Database) {}

  /**
   * @param tokens estimated tokens of the next call
   * @throws EmbeddingBudgetError if they would exceed a budget
   */
  async requireRoom(tenantId: string, price: ModelPrice | undefined, tokens: number): Promise<void> {
    const tenant = await this.db.tenant.findFirst({ where: { id: tenantId } });
    if (!tenant || (tenant.maxMonthlyTokens === null && tenant.maxMonthlyCost === null)) return;
    const { spent, reserved } = await new ModelUsageRepository(this.db).month(tenantId);
    const cost = price ? costOf(price, tokens, 0) : 0;
    const isOver = (limit: bigint | null, used: number) => limit !== null && used > Number(limit);
    if (
      isOver(tenant.maxMonthlyTokens, spent.tokens + reserved.tokens + tokens) ||
      isOver(tenant.maxMonthlyCost, spent.cost + reserved.cost + cost)
    )
      throw new EmbeddingBudgetError();
  }

  /** Records a call in the table of model calls; it belongs to no run. */
  async enter(
    tx: Pick<DatabaseOrTransaction, '$executeRaw'>,
    tenantId: string,
    { embedder: { model }, price }: Pick<EmbeddingModel, 'embedder' | 'price'>,
    { tokens, estimated }: Pick<Embeddings, 'tokens' | 'estimated'>,
  ): Promise<void> {
    const id = newId('cal');
    await tx.$executeRaw`
      /* enter embedding call */ INSERT INTO model_calls (id, tenant_id, effect_key, model, input_tokens, output_tokens, cost, estimated)
      VALUES (${id}, ${tenantId}, ${`embed/${id}`}, ${model}, ${tokens}, 0, ${price ? costOf(price, tokens, 0) : 0}::bigint, ${estimated})`;
  }
}
