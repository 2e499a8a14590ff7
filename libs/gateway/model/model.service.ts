import { withoutEndSlashes } from '#contracts/text.js';
import type { modelSettingsSchema, NewModelEndpoint } from '#contracts/api/operations-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { embeddingOf, type GatewaySettings } from '#config/settings.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { consequencesOf, modelConsequences } from '#contracts/model-facts.js';
import type { Database } from '#db/client.js';
import { RefusedUrlError } from '#egress/destination.js';
import { ModelEndpoints, type DescribedEndpoint, type ModelEndpoint } from '#kit/model/model-endpoints.js';
import { ProfileStore } from '#kit/model/profile-store.js';
import { DATABASE, SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { OpenAiEmbedder } from '#llm/embeddings.js';
import { ModelError } from '#llm/model-error.js';
import { Inject, Injectable, Controller } from '@nestjs/common';
import type { z } from 'zod';
import { Route, type EndpointRequest } from '../http/route.js';

type ModelSettings = z.infer<typeof modelSettingsSchema>;

/** Time limit of one request to embed a word. */
const EMBEDDING_TIMEOUT_MS = 10_000;

/** The models that a tenant's runs use: its own endpoint, or the installation's. */
@Injectable()
export class ModelService {
  private readonly profiles: ProfileStore;

  constructor(
    @Inject(DATABASE) db: Database,
    private readonly endpoints: ModelEndpoints,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {
    this.profiles = new ProfileStore(db);
  }

  async read(tenantId: string): Promise<ModelSettings> {
    const endpoint = await this.endpoints.describe(tenantId);
    const embedding = this.embeddingView(endpoint);
    if (!endpoint) return { source: 'none', endpoint: null, models: [], embedding };
    const row = endpoint.owner === undefined ? null : await this.endpoints.rows.find(tenantId);
    return {
      source: row ? 'tenant' : 'installation',
      endpoint: row && {
        base_url: row.baseUrl,
        has_key: row.apiKey !== null,
        embedding_model: row.embeddingModel,
        context_tokens: row.contextTokens,
        prices: row.prices,
      },
      models: await Promise.all(modelsOf(endpoint).map((name) => this.modelView(endpoint, name))),
      embedding,
    };
  }

  /** @throws ProblemError `no_model`, `model_failed` */
  async check(tenantId: string): Promise<ModelSettings> {
    try {
      const endpoint = await this.endpoints.of(tenantId);
      if (!endpoint) throw new ProblemError('no_model', phrase('no_model.nothing_to_check'));
      for (const model of modelsOf(endpoint)) await this.profiles.check(endpoint, model, tenantId);
      if (endpoint.embeddingModel !== undefined) await checkEmbedding(endpoint, endpoint.embeddingModel);
    } catch (error) {
      if (error instanceof ModelError) throw new ProblemError('model_failed', error.message);
      throw error;
    }
    return this.read(tenantId);
  }

  /** @throws ProblemError `model_endpoint_refused` */
  async setEndpoint(tenantId: string, given: NewModelEndpoint): Promise<ModelSettings> {
    const baseUrl = await this.checkedUrl(given.base_url);
    const before = await this.endpoints.rows.find(tenantId);
    const kept = before?.baseUrl === baseUrl ? before.apiKey : null;
    if (before && before.baseUrl !== baseUrl) await this.endpoints.rows.remove(tenantId);
    await this.endpoints.rows.save(tenantId, {
      baseUrl,
      apiKey: given.api_key === undefined ? kept : this.endpoints.sealed(tenantId, given.api_key),
      model: given.model,
      fastModel: given.fast_model ?? null,
      embeddingModel: given.embedding_model ?? null,
      contextTokens: given.context_tokens ?? null,
      prices: given.prices,
    });
    return this.read(tenantId);
  }

  async removeEndpoint(tenantId: string): Promise<void> {
    await this.endpoints.rows.remove(tenantId);
  }

  private async checkedUrl(text: string): Promise<string> {
    try {
      const { url } = await this.endpoints.guard.check(text);
      return withoutEndSlashes(url.href);
    } catch (error) {
      if (error instanceof RefusedUrlError) throw new ProblemError('model_endpoint_refused', error.phrase);
      throw error;
    }
  }

  private embeddingView(endpoint: DescribedEndpoint | null): ModelSettings['embedding'] {
    const own = endpoint?.embeddingModel;
    if (own !== undefined) return { source: 'tenant', name: own };
    const installed = embeddingOf(this.settings);
    return installed && { source: 'installation', name: installed.model };
  }

  private async modelView(endpoint: DescribedEndpoint, name: string) {
    const { facts, checkedAt, checkFailed } = await this.profiles.read(endpoint, name);
    const uses = (['main', 'fast'] as const).filter(
      (use) => name === (use === 'main' ? endpoint.model : endpoint.fastModel),
    );
    return {
      name,
      uses,
      facts,
      consequences: consequencesOf(facts).map((code) => ({ code, text: modelConsequences[code] })),
      checked_at: checkedAt?.toISOString() ?? null,
      check_failed: checkFailed,
    };
  }
}

/** @throws ModelError if the endpoint does not embed a word with this model */
async function checkEmbedding(endpoint: ModelEndpoint, model: string): Promise<void> {
  const { baseUrl, apiKey, send } = endpoint;
  const config = { model, apiKey, send, timeoutMs: EMBEDDING_TIMEOUT_MS };
  await new OpenAiEmbedder({ ...config, ...(baseUrl !== undefined && { baseUrl }) }).embed(['word']);
}

const modelsOf = ({ model, fastModel }: DescribedEndpoint): string[] => [...new Set([model, fastModel])];

@Controller()
export class ModelController {
  constructor(private readonly models: ModelService) {}

  @Route('getModel')
  read({ tenantId }: EndpointRequest<'getModel'>) {
    return this.models.read(tenantId);
  }

  @Route('checkModel')
  check({ tenantId }: EndpointRequest<'checkModel'>) {
    return this.models.check(tenantId);
  }

  @Route('setModelEndpoint')
  set({ tenantId, body }: EndpointRequest<'setModelEndpoint'>) {
    return this.models.setEndpoint(tenantId, body);
  }

  @Route('deleteModelEndpoint')
  remove({ tenantId }: EndpointRequest<'deleteModelEndpoint'>) {
    return this.models.removeEndpoint(tenantId);
  }
}
