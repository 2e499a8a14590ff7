import { BudgetExceededError, type InThread } from '#kit/graph/ports.js';
import { ModelUsageRepository, type ModelStep } from '#db/repositories/model-usage.js';
import type { Database } from '#db/client.js';
import type { FoundPassage, ResearchPort } from '../graph/ports.js';
import { StaleEpochError } from '#engine/runs/fence.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import { ObjectNotFoundError, type ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import { createHash } from 'node:crypto';
import { citable, exaAnswerSchema, type ExaPage } from './exa-answer.js';
import { postJson, type JsonServer } from './post-json.js';

export interface ExaConfig extends JsonServer {
  /** Reserved cost per search in millionths of the currency; Exa reports the actual cost. */
  cost: number;
  searchesPerRun: number;
}

/** Maximum number of characters requested per page. */
const PAGE_LENGTH = 8_000;
/** Model name of searches in the usage ledger. */
const LEDGER_NAME = 'exa';
const WORKER = new URL('./exa-passages.worker.js', import.meta.url);

/**
 * Web research with Exa's HTTP API (A6). No page is fetched from here: Exa returns the text. A search is
 * recorded in the usage ledger and counts toward budgets like a model call; repeated searches of a session
 * are read from its stored results.
 */
export class ExaResearch implements ResearchPort {
  private readonly usage: ModelUsageRepository;

  constructor(
    private readonly config: ExaConfig,
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly run: HeldRun,
    private readonly signal: AbortSignal,
    private readonly inThread: InThread,
  ) {
    this.usage = new ModelUsageRepository(db);
  }

  async find(query: string, limit: number, effectKey: string): Promise<FoundPassage[]> {
    const pages = await this.pages(query, limit, effectKey);
    return this.inThread<FoundPassage[]>(WORKER, { query, pages: citable(pages), limit }, this.signal);
  }

  private async pages(query: string, limit: number, effectKey: string): Promise<ExaPage[]> {
    const seed = createHash('sha256').update(`exa\n${limit}\n${query}`).digest('hex');
    const key = sessionKey(this.run.tenantId, this.run.sessionId, 'results', `research-${seed}.json`);
    const known = await this.known(key);
    if (known) return known;
    const pages = await this.ask(query, limit, `${this.run.id}/${effectKey}`);
    await this.store.put(key, Buffer.from(JSON.stringify(pages)), { contentType: 'application/json' });
    return pages;
  }

  private async known(key: string): Promise<ExaPage[] | null> {
    try {
      return JSON.parse(Buffer.from(await this.store.getBytes(key)).toString('utf8')) as ExaPage[];
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return null;
      throw error;
    }
  }

  /** @throws BudgetExceededError, StaleEpochError, and RunFailure `research_quota` or `research_unavailable` */
  private async ask(query: string, limit: number, effectKey: string): Promise<ExaPage[]> {
    const { tenantId, id: runId, fence } = this.run;
    const searches = await this.db.modelCall.count({ where: { tenantId, runId, model: LEDGER_NAME } });
    if (searches >= this.config.searchesPerRun)
      throw new RunFailure('research_quota', 'The article needs more web searches than a run may make.');
    const step: ModelStep = { runId, epoch: fence.epoch, effectKey };
    const held = await this.usage.reserve(tenantId, step, { tokens: 0, cost: this.config.cost });
    if (held === 'stale') throw new StaleEpochError(fence);
    if (held !== 'reserved') throw new BudgetExceededError(held);
    try {
      const body = {
        query,
        numResults: limit,
        contents: { text: { maxCharacters: PAGE_LENGTH }, summary: true },
      };
      const answer = exaAnswerSchema.safeParse(await postJson(this.config, '/search', body, this.signal));
      if (!answer.success)
        throw new RunFailure('research_unavailable', 'The response of the research provider is not valid.');
      const { results, costDollars } = answer.data;
      const cost = costDollars ? Math.ceil(costDollars.total * 1_000_000) : this.config.cost;
      const entry = { model: LEDGER_NAME, inputTokens: 0, outputTokens: 0, cost, estimated: !costDollars };
      await this.usage.settle(tenantId, step, entry, true);
      return results;
    } catch (error) {
      await this.usage.giveBack(tenantId, step);
      throw error;
    }
  }
}
