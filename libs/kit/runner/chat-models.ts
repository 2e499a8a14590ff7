import { detailOf } from '#contracts/phrases/detail.js';
import type { ModelPrice } from '#contracts/budgets.js';
import { RunFailure } from '#engine/kind.js';
import { createChatModel, type ChatModel } from '#llm/chat-model.js';
import { ModelError } from '#llm/model-error.js';
import { ModelEndpoints, type ModelEndpoint } from '../model/model-endpoints.js';
import type { ProfileStore } from '../model/profile-store.js';
import type { Logger } from '#telemetry/logger.js';

/** Time in ms that a stopping process waits for checks. */
const GRACE_MS = 2_000;

interface Use {
  endpoint: ModelEndpoint;
  models: string[];
  tenantId: string;
}

/**
 * Completes what is known about a model after the first run that used it. It does not delay the run, whose answers
 * show most of it; a failure does not concern the run and is stored with the model.
 */
export class FirstUse {
  private readonly uses = new Map<string, Use>();
  private readonly checked = new Set<string>();
  private readonly open = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly profiles: ProfileStore,
    private readonly log: Logger,
  ) {}

  /** Notes that a run got an answer of these models. */
  recordUse(runId: string, use: Use): void {
    if (!this.checked.has(keyOf(use))) this.uses.set(runId, use);
  }

  /** Checks the models that the ended run used, if that is still to be done. */
  ended(runId: string): void {
    const use = this.uses.get(runId);
    if (!use || this.checked.has(keyOf(use))) return;
    const key = keyOf(use);
    this.checked.add(key);
    for (const [id, other] of this.uses) if (keyOf(other) === key) this.uses.delete(id);
    const check = this.check(use).finally(() => this.open.delete(check));
    this.open.add(check);
  }

  /** Waits for the checks in progress; after `graceMs` it aborts the rest, which are stored as failed. */
  async close(graceMs = GRACE_MS): Promise<void> {
    const timer = setTimeout(() => this.stopping.abort(), graceMs);
    await Promise.all(this.open);
    clearTimeout(timer);
  }

  private async check({ endpoint, models, tenantId }: Use): Promise<void> {
    for (const model of models)
      try {
        await this.profiles.checkFirst(endpoint, model, tenantId, this.stopping.signal);
      } catch (error) {
        const code = error instanceof ModelError ? error.code : undefined;
        this.log.warn({ ...(code ? { code } : { err: error }) }, 'failed to check a model at its first use');
      }
  }
}

const keyOf = ({ endpoint: { owner, baseUrl }, models }: Use): string =>
  JSON.stringify([owner, baseUrl, models]);

/** Chat model of a tenant with its prices. */
export interface TenantModel {
  chat: ChatModel;
  /** Returns the price of a model by name; undefined if none is set. */
  priceOf(name: string): ModelPrice | undefined;
  /** Stores what an answer of a run has shown about the models. */
  keepProfiles(runId: string): Promise<void>;
}

/** Number of connected endpoints that are kept. */
const MAX_CONNECTED = 200;

/** Connects runs to the model endpoint of their tenant. */
export class ChatModels {
  private readonly connected = new Map<string, ChatModel>();

  constructor(
    private readonly endpoints: ModelEndpoints,
    private readonly profiles: ProfileStore,
    private readonly options: { temperature: number | undefined; timeoutMs: number },
    private readonly firstUse?: FirstUse,
  ) {}

  /**
   * Returns the model of a tenant; null if there is none.
   *
   * @throws RunFailure if the key of the tenant's endpoint cannot be read
   */
  async of(tenantId: string): Promise<TenantModel | null> {
    const endpoint = await this.endpoints.of(tenantId).catch((error: unknown) => {
      throw error instanceof ModelError ? new RunFailure(error.code, detailOf(error)) : error;
    });
    if (!endpoint) return null;
    const models = [...new Set([endpoint.model, endpoint.fastModel])];
    await Promise.all(models.map((model) => this.profiles.of(endpoint, model)));
    return {
      chat: this.connect(endpoint),
      priceOf: (name) => (Object.hasOwn(endpoint.prices, name) ? endpoint.prices[name] : undefined),
      keepProfiles: async (runId) => {
        for (const model of models) await this.profiles.keep(endpoint, model);
        this.firstUse?.recordUse(runId, { endpoint, models, tenantId });
      },
    };
  }

  private connect(endpoint: ModelEndpoint): ChatModel {
    const { owner, apiKey, baseUrl, model, fastModel, send } = endpoint;
    const key = JSON.stringify([owner, apiKey, baseUrl, model, fastModel]);
    const known = this.connected.get(key);
    const chat =
      known ?? createChatModel({ ...this.options, owner, apiKey, baseUrl, model, fastModel, send });
    // The endpoint that was not used for longest is the first.
    this.connected.delete(key);
    this.connected.set(key, chat);
    const [oldest] = this.connected.keys();
    if (this.connected.size > MAX_CONNECTED) this.connected.delete(oldest!);
    return chat;
  }
}
