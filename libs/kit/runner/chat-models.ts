import { costOf, type ModelPrice } from '#contracts/budgets.js';
import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import {
  ModelUsageRepository,
  type BegunRun,
  type Bounds,
  type ModelStep,
  type Spending,
} from '#db/repositories/model-usage.js';
import { RunFailure, type HeldRun, type RunEvents } from '#engine/kind.js';
import { StaleEpochError } from '#engine/runs/fence.js';
import { callModel } from '#llm/call-model.js';
import { createChatModel, type ChatModel } from '#llm/chat-model.js';
import type { CountTokens } from '#llm/count-tokens.js';
import { estimateInputTokens } from '#llm/estimate.js';
import { ModelError } from '#llm/model-error.js';
import type { ModelUsage } from '#llm/usage.js';
import type { Logger } from '#telemetry/logger.js';
import { processMetrics, timed } from '#telemetry/metrics.js';
import { inSpan, SpanKind } from '#telemetry/tracing.js';
import { BudgetExceededError, ModelFailure, type ModelPort, type RunModel } from '../graph/ports.js';
import { ModelEndpoints, type ModelEndpoint } from '../model/model-endpoints.js';
import type { ProfileStore } from '../model/profile-store.js';

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
interface TenantModel {
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

type ModelRequest = Parameters<ModelPort['call']>[0];

/** The tenant's chat model with its prices. */
interface PricedModel extends TenantModel {
  /** Maximum answer length of a call under a budget, in tokens. */
  maxOutputTokens: number;
  countTokens: CountTokens;
}

/** Call of a step and whether an amount is currently reserved for it. */
interface Call {
  step: ModelStep;
  price: ModelPrice | undefined;
  needed: Spending | null;
  isReserved: boolean;
}

/**
 * Chat model of a run: streams tokens to the run's events and records usage in its usage ledger. While a
 * budget applies to the run, the maximum that a call may use is reserved first (X7); other runs avoid this
 * round trip.
 */
export class MeteredModel implements RunModel {
  private readonly usage: ModelUsageRepository;
  private bounds: Promise<Bounds>;
  /** Tokens of the run's calls, of earlier legs too. */
  private spentTokens: Promise<number>;

  /** @param begun whether a budget applies; awaited by the first call, updated by each recorded one */
  constructor(
    private readonly model: PricedModel,
    db: Database,
    private readonly run: HeldRun,
    private readonly events: RunEvents,
    begun: Promise<BegunRun>,
  ) {
    this.usage = new ModelUsageRepository(db);
    this.bounds = begun;
    this.spentTokens = begun.then(({ spentTokens }) => spentTokens);
    // A run without model calls ignores the error.
    this.spentTokens.catch(() => undefined);
  }

  get label(): string {
    return this.model.chat.label;
  }

  get fastLabel(): string {
    return this.model.chat.fastLabel;
  }

  async call(request: ModelRequest): Promise<Awaited<ReturnType<ModelPort['call']>>> {
    const { id: runId, fence } = this.run;
    const step = { runId, epoch: fence.epoch, effectKey: `${runId}/${request.effectKey}` };
    const { chat, priceOf } = this.model;
    const price = priceOf(request.tier === 'fast' ? chat.fastLabel : chat.label);
    await this.checkDefaultBudget(request);
    const call: Call = { step, price, needed: await this.neededFor(request, price), isReserved: false };
    await this.reserve(call);
    try {
      const { message, usage } = await timed(
        () => this.ask(request, call),
        (seconds, failed) =>
          processMetrics.modelCallSeconds.observe({ outcome: failed ? 'failed' : 'done' }, seconds),
      );
      await this.settle(call, usage);
      await this.model.keepProfiles(runId);
      return message;
    } catch (error) {
      if (call.isReserved) await this.usage.giveBack(this.run.tenantId, step);
      if (error instanceof ModelError) throw new ModelFailure(error.code, detailOf(error));
      throw error;
    }
  }

  async setBudget(unit: keyof Spending, amount: number): Promise<void> {
    const { id, tenantId, fence } = this.run;
    const isHeld = await this.usage.setRunBudget(tenantId, { id, epoch: fence.epoch }, unit, amount);
    if (!isHeld) throw new StaleEpochError(fence);
  }

  spent(): Promise<Spending> {
    return this.usage.ofRun(this.run.tenantId, this.run.id);
  }

  private ask(request: ModelRequest, call: Call) {
    const { messages, tools, schema, signal, tier } = request;
    const { chat } = this.model;
    const model = tier === 'fast' ? chat.fastModel : chat.model;
    const attributes = { 'gen_ai.operation.name': 'chat' };
    return inSpan('chat', { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const answer = await callModel(model, messages, {
        tools,
        ...(call.needed && { maxOutputTokens: this.model.maxOutputTokens }),
        schema,
        countTokens: this.model.countTokens,
        ...(schema || request.isProse === false ? {} : { onToken: this.streamOf(request) }),
        onFailedUsage: (usage) => this.settle(call, usage),
        onRetry: () => this.reserve(call),
        ...(signal ? { signal } : {}),
      });
      span.setAttributes({
        'gen_ai.response.model': answer.usage.model,
        'gen_ai.usage.input_tokens': answer.usage.input_tokens,
        'gen_ai.usage.output_tokens': answer.usage.output_tokens,
      });
      return answer;
    });
  }

  /** Returns a function that streams text to the run's events. */
  private streamOf({ effectKey, operation }: ModelRequest): (text: string) => void {
    // A step's key begins with the name of its node.
    const [node = ''] = effectKey.split(':');
    return (text) => this.events.token(text, { node, operation: operation ?? null });
  }

  /** Returns the maximum that a call may use; null if no budget applies. The offline writer uses nothing. */
  private async neededFor(
    { messages, tools }: ModelRequest,
    price: ModelPrice | undefined,
  ): Promise<Spending | null> {
    const { chat, maxOutputTokens } = this.model;
    const bounds = await this.bounds;
    if (!bounds.isBounded || chat.offline) return null;
    if (bounds.byCost && !price)
      throw new RunFailure('model_price_unknown', phrase('model_failure.model_price_unknown'));
    const input = await estimateInputTokens(messages, tools, this.model.countTokens);
    const cost = price ? costOf(price, input, maxOutputTokens) : 0;
    return { tokens: input + maxOutputTokens, cost };
  }

  /** @throws BudgetExceededError if a run without a budget has used the default one */
  private async checkDefaultBudget({ messages, tools }: ModelRequest): Promise<void> {
    const [{ defaultMaxTokens: limit }, spent] = await Promise.all([this.bounds, this.spentTokens]);
    if (limit === null || spent < limit || this.model.chat.offline) return;
    const needed = await estimateInputTokens(messages, tools, this.model.countTokens);
    throw new BudgetExceededError({ scope: 'run', unit: 'tokens', spent, reserved: 0, needed, limit });
  }

  /** @throws BudgetExceededError; StaleEpochError if the run's lease was lost */
  private async reserve(call: Call): Promise<void> {
    if (!call.needed || call.isReserved) return;
    const outcome = await this.usage.reserve(this.run.tenantId, call.step, call.needed);
    if (outcome === 'stale') throw new StaleEpochError(this.run.fence);
    if (outcome !== 'reserved') throw new BudgetExceededError(outcome);
    call.isReserved = true;
  }

  private async settle(call: Call, usage: ModelUsage): Promise<void> {
    const { price } = call;
    const { input_tokens: inputTokens, output_tokens: outputTokens, model, estimated, parts } = usage;
    const cost = usage.cost ?? (price ? costOf(price, inputTokens, outputTokens, parts) : 0);
    const entry = { model, inputTokens, outputTokens, cost, estimated, ...parts };
    const bounds = await this.usage.settle(this.run.tenantId, call.step, entry, call.isReserved);
    call.isReserved = false;
    this.spentTokens = this.spentTokens.then((spent) => spent + inputTokens + outputTokens);
    if (bounds) this.bounds = Promise.resolve(bounds);
  }
}
