import { phrase } from '#contracts/phrases/phrase.js';
import type { ModelPrices } from '#contracts/budgets.js';
import { type GatewaySettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import { ModelEndpointRepository, type ModelEndpointRow } from '#db/repositories/model-endpoints.js';
import { DestinationGuard, RefusedUrlError, systemResolver } from '#egress/destination.js';
import { guardedFetch } from '#egress/guarded-fetch.js';
import { SecretSeal } from '#egress/secret-seal.js';
import { ModelError } from '#llm/model-error.js';
import type { Send } from '#llm/bounded-fetch.js';

/** Limits of one answer of a tenant's server; the model layer has closer ones. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_ANSWER_MS = 60 * 60_000;
/** Sent to servers without keys, because the header must not be empty. */
const NO_KEY = 'none';

/** Server and models that a tenant's runs use. */
export interface ModelEndpoint extends DescribedEndpoint {
  apiKey: string;
}

/** An endpoint without its key. */
export interface DescribedEndpoint {
  /** Tenant whose endpoint it is; undefined for the installation's. */
  owner: string | undefined;
  /** Undefined: OpenAI's. */
  baseUrl: string | undefined;
  model: string;
  fastModel: string;
  /** Undefined: the installation's embedding server. */
  embeddingModel: string | undefined;
  /** Context window as set by hand. */
  contextTokens: number | undefined;
  prices: ModelPrices;
  /** Undefined without restrictions. */
  send: Send | undefined;
}

type Settings = Pick<GatewaySettings, 'TOKEN_SECRET' | 'EGRESS_ALLOW_PRIVATE' | 'EGRESS_PORTS'> &
  // Workers that only embed do not know the installation's chat model.
  Partial<
    Pick<
      GatewaySettings,
      | 'OPENAI_API_KEY'
      | 'OPENAI_BASE_URL'
      | 'OPENAI_MODEL'
      | 'OPENAI_FAST_MODEL'
      | 'OPENAI_CONTEXT_TOKENS'
      | 'MODEL_PRICES'
    >
  >;

/** The model endpoints of tenants: their own, or the installation's. */
export class ModelEndpoints {
  readonly rows: ModelEndpointRepository;
  readonly guard: DestinationGuard;
  private readonly seal: SecretSeal;
  private readonly installation: DescribedEndpoint | null;

  constructor(
    db: Database,
    private readonly settings: Settings,
  ) {
    this.rows = new ModelEndpointRepository(db);
    this.seal = new SecretSeal(settings.TOKEN_SECRET, 'model');
    this.guard = new DestinationGuard(settings.EGRESS_ALLOW_PRIVATE, systemResolver, settings.EGRESS_PORTS);
    this.installation = installationOf(settings);
  }

  /**
   * Returns the endpoint of a tenant; null if neither the tenant nor the installation has a model with a key.
   *
   * @throws ModelError `model_unauthorized` if the tenant's key can no longer be read
   */
  async of(tenantId: string): Promise<ModelEndpoint | null> {
    const own = await this.ownOf(tenantId);
    if (own) return own;
    const { OPENAI_API_KEY: apiKey } = this.settings;
    return this.installation && apiKey !== undefined ? { ...this.installation, apiKey } : null;
  }

  /**
   * Returns the endpoint that the tenant has set; null if there is none.
   *
   * @throws ModelError `model_unauthorized` if its key can no longer be read
   */
  async ownOf(tenantId: string): Promise<ModelEndpoint | null> {
    const row = await this.rows.find(tenantId);
    return row && { ...this.described(tenantId, row), apiKey: this.keyOf(tenantId, row) };
  }

  /** Like `of`, but without the key. */
  async describe(tenantId: string): Promise<DescribedEndpoint | null> {
    const row = await this.rows.find(tenantId);
    return row ? this.described(tenantId, row) : this.installation;
  }

  /** Seals a key for a tenant's endpoint. */
  sealed(tenantId: string, apiKey: string): string {
    return this.seal.seal(apiKey, tenantId);
  }

  private described(owner: string, row: ModelEndpointRow): DescribedEndpoint {
    return {
      owner,
      baseUrl: row.baseUrl,
      model: row.model,
      fastModel: row.fastModel ?? row.model,
      embeddingModel: row.embeddingModel ?? undefined,
      contextTokens: row.contextTokens ?? undefined,
      prices: row.prices,
      send: this.send,
    };
  }

  private keyOf(owner: string, { apiKey }: ModelEndpointRow): string {
    if (apiKey === null) return NO_KEY;
    const key = this.seal.openIfReadable(apiKey, owner);
    if (key !== null) return key;
    throw new ModelError('model_unauthorized', phrase('model_failure.model_unauthorized.stored_key'), false);
  }

  /** Sends requests to tenants' servers, each to a checked address. */
  private readonly send: Send = async (url, init) => {
    const fetch = guardedFetch(this.guard, { maxBytes: MAX_ANSWER_BYTES, timeoutMs: MAX_ANSWER_MS });
    try {
      return await fetch(url, init as Parameters<typeof fetch>[1]);
    } catch (error) {
      if (!(error instanceof RefusedUrlError)) throw error;
      throw new ModelError(
        'model_rejected',
        phrase('model_failure.model_rejected.endpoint', { reason: error.message }),
        false,
      );
    }
  };
}

function installationOf(settings: Settings): DescribedEndpoint | null {
  const { OPENAI_MODEL: model } = settings;
  if (model === undefined) return null;
  return {
    owner: undefined,
    baseUrl: settings.OPENAI_BASE_URL,
    model,
    fastModel: settings.OPENAI_FAST_MODEL ?? model,
    embeddingModel: undefined,
    contextTokens: settings.OPENAI_CONTEXT_TOKENS,
    prices: settings.MODEL_PRICES ?? {},
    send: undefined,
  };
}
