import { phrase } from '#contracts/phrases/phrase.js';
import { BudgetExceededError } from '#kit/graph/ports.js';
import { ModelUsageRepository, type ModelStep } from '#db/repositories/model-usage.js';
import type { Database } from '#db/client.js';
import { StaleEpochError } from '#engine/runs/fence.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import { ObjectNotFoundError, type ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { createHash } from 'node:crypto';

/** A search with a provider of the web. */
interface WebSearchCall {
  /** Name of the provider in the usage ledger. */
  name: string;
  /** Reserved cost in millionths of the currency. */
  cost: number;
  query: string;
  limit: number;
  effectKey: string;
}

/** Searches that the providers of a run have made, all together. */
const WEB_SEARCHES = ['exa', 'searxng'];

/**
 * Ledger of web searches. A search is recorded like a model call and counts toward budgets; repeated searches of a
 * session are read from its stored results.
 */
export class SearchLedger {
  private readonly usage: ModelUsageRepository;

  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly run: HeldRun,
    private readonly searchesPerRun: number,
  ) {
    this.usage = new ModelUsageRepository(db);
  }

  /**
   * Returns the stored result of a search, or makes and stores it.
   *
   * @param ask makes the search; `cost` is what the provider charged, if it says so
   * @throws BudgetExceededError, StaleEpochError, RunFailure `research_quota`; errors of `ask`
   */
  async once(call: WebSearchCall, ask: () => Promise<{ result: unknown; cost?: number }>): Promise<unknown> {
    const seed = createHash('sha256').update(`${call.name}\n${call.limit}\n${call.query}`).digest('hex');
    const key = sessionKey(this.run.tenantId, this.run.sessionId, 'results', `research-${seed}.json`);
    const known = await this.known(key);
    if (known !== undefined) return known;
    const result = await this.metered(call, ask);
    await this.store.put(key, Buffer.from(JSON.stringify(result)), { contentType: 'application/json' });
    return result;
  }

  private async known(key: string): Promise<unknown> {
    try {
      return JSON.parse(Buffer.from(await this.store.getBytes(key)).toString('utf8')) as unknown;
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return undefined;
      throw error;
    }
  }

  private async metered(
    { name, cost: reserved, effectKey }: WebSearchCall,
    ask: () => Promise<{ result: unknown; cost?: number }>,
  ): Promise<unknown> {
    const { tenantId, id: runId, fence } = this.run;
    const searches = await this.db.modelCall.count({
      where: { tenantId, runId, model: { in: WEB_SEARCHES } },
    });
    if (searches >= this.searchesPerRun)
      throw new RunFailure('research_quota', phrase('run_error.research_quota'));
    const step: ModelStep = { runId, epoch: fence.epoch, effectKey: `${runId}/${effectKey}` };
    const held = await this.usage.reserve(tenantId, step, { tokens: 0, cost: reserved });
    if (held === 'stale') throw new StaleEpochError(fence);
    if (held !== 'reserved') throw new BudgetExceededError(held);
    try {
      const { result, cost } = await ask();
      const entry = { model: name, inputTokens: 0, outputTokens: 0, cost: cost ?? reserved };
      await this.usage.settle(
        tenantId,
        step,
        { ...entry, estimated: cost === undefined && reserved > 0 },
        true,
      );
      return result;
    } catch (error) {
      await this.usage.giveBack(tenantId, step);
      throw error;
    }
  }
}
