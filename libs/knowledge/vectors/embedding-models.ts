import type { ModelPrice, ModelPrices } from '#contracts/budgets.js';
import { embeddingOf } from '#config/settings.js';
import type { Database } from '#db/client.js';
import { asTenant } from '#db/tenant-scope.js';
import { ModelEndpoints, type ModelEndpoint } from '#kit/model/model-endpoints.js';
import { OpenAiEmbedder, type Embedder, type EmbedderConfig } from '#llm/embeddings.js';
import { endpointKey, OPENAI } from '#llm/profile/endpoint-key.js';

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
