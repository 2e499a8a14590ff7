import { englishText, phrase } from '#contracts/phrases/phrase.js';
import { costOf, type ModelPrice } from '#contracts/budgets.js';
import { newId } from '#contracts/ids.js';
import type { Database, DatabaseOrTransaction } from '#db/client.js';
import { ModelUsageRepository } from '#db/repositories/model-usage.js';
import type { Embeddings } from '#llm/embeddings.js';
import type { EmbeddingModel } from './embedding-models.js';

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
