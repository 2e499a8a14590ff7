import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { costOf, type ModelPrice } from '#contracts/budgets.js';
import type { Database } from '#db/client.js';
import {
  ModelUsageRepository,
  type BegunRun,
  type Bounds,
  type ModelStep,
  type Spending,
} from '#db/repositories/model-usage.js';
import { BudgetExceededError, ModelFailure, type ModelPort, type RunModel } from '../graph/ports.js';
import { callModel } from '#llm/call-model.js';
import type { TenantModel } from './chat-models.js';
import { estimateInputTokens } from '#llm/estimate.js';
import type { CountTokens } from '#llm/count-tokens.js';
import { ModelError } from '#llm/model-error.js';
import type { ModelUsage } from '#llm/usage.js';
import { RunFailure, type HeldRun, type RunEvents } from '#engine/kind.js';
import { StaleEpochError } from '#engine/runs/fence.js';
import { processMetrics, timed } from '#telemetry/metrics.js';
import { inSpan, SpanKind } from '#telemetry/tracing.js';

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
