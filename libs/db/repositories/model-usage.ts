import { costOf, type BudgetShortfall, type ModelPrice, type TokenParts } from '#contracts/budgets.js';
import { newId } from '#contracts/ids.js';
import { Prisma, type Database } from '../client.js';
import { ASYNC_COMMIT } from '../async-commit.js';
import { asService } from '../tenant-scope.js';

/** A step's model call; a repeated step makes the same call again. */
export interface ModelStep {
  runId: string;
  /** Epoch of the runner that makes the call. */
  epoch: number;
  effectKey: string;
}

/** Tokens, and their cost in millionths of the currency. */
export interface Spending {
  tokens: number;
  cost: number;
}

interface CallUsage extends TokenParts {
  model: string;
  inputTokens: number;
  outputTokens: number;
  cost: number;
  estimated: boolean;
}

interface TenantMonth {
  spent: Spending;
  reserved: Spending;
}

/** Monthly limits of a tenant, in tokens and in millionths of the currency; null means no limit. */
interface MonthlyLimits {
  maxTokens: number | null;
  maxCost: number | null;
}

/** Whether a run is limited by a budget, its own or its tenant's monthly one. */
export interface Bounds {
  isBounded: boolean;
  /** True if a budget is in money, so that the model needs a price. */
  byCost: boolean;
  /** Tokens after which a run without its own budget asks a person; null: it has one, or never asks. */
  defaultMaxTokens: number | null;
}

/** Limits of a run, and the tokens that its model calls have used so far. */
export interface BegunRun extends Bounds {
  spentTokens: number;
}

interface ReserveRow {
  outcome: 'reserved' | 'stale' | `${BudgetShortfall['scope']}_${BudgetShortfall['unit']}`;
  spent: number;
  reserved: number;
  max: number;
}

const BOUNDS = Prisma.sql`
  (r.max_tokens IS NOT NULL OR r.max_cost IS NOT NULL OR t.max_monthly_tokens IS NOT NULL
   OR t.max_monthly_cost IS NOT NULL) AS "isBounded",
  (r.max_cost IS NOT NULL OR t.max_monthly_cost IS NOT NULL) AS "byCost",
  CASE WHEN r.max_tokens IS NULL AND r.max_cost IS NULL THEN r.default_max_tokens END::float AS "defaultMaxTokens"`;

/** Model calls and the budgets that limit them (X7). */
export class ModelUsageRepository {
  constructor(private readonly db: Database) {}

  /**
   * Stores a run's model and prompt version on its first call, and returns whether a budget limits the run.
   * The commit is asynchronous: the next committed step makes it durable, and a repeated step stores it
   * again.
   */
  async begin(tenantId: string, runId: string, model: string, promptVersion: string): Promise<BegunRun> {
    const [bounds] = await this.db.$statement<BegunRun>(Prisma.sql`
      /* name model */ WITH named AS (
        UPDATE runs SET model = ${model}, prompt_version = ${promptVersion}
        WHERE id = ${runId} AND tenant_id = ${tenantId} AND model IS NULL
      )
      SELECT ${BOUNDS}, ${ASYNC_COMMIT},
        (SELECT coalesce(sum(c.input_tokens::bigint + c.output_tokens), 0)::float FROM model_calls c
         WHERE c.run_id = r.id) AS "spentTokens"
      FROM runs r JOIN tenants t ON t.id = r.tenant_id
      WHERE r.id = ${runId} AND r.tenant_id = ${tenantId}`);
    return bounds ?? { isBounded: false, byCost: false, defaultMaxTokens: null, spentTokens: 0 };
  }

  /** Returns a tenant's monthly limits; null means unlimited. */
  async monthlyLimits(tenantId: string): Promise<MonthlyLimits> {
    const [limits] = await this.db.$statement<MonthlyLimits>(Prisma.sql`
      /* monthly limits */ SELECT max_monthly_tokens::float AS "maxTokens", max_monthly_cost::float AS "maxCost"
      FROM tenants WHERE id = ${tenantId}`);
    return limits ?? { maxTokens: null, maxCost: null };
  }

  /**
   * Reserves the maximum that a call may use. Concurrent reservations never exceed a budget, because the sum
   * of what is reserved and spent is checked.
   *
   * @returns `reserved`, or `stale` if the run has another epoch or has ended, or the budget that is too
   *   small
   */
  async reserve(
    tenantId: string,
    step: ModelStep,
    needed: Spending,
  ): Promise<'reserved' | 'stale' | BudgetShortfall> {
    const [row] = await this.db.$statement<ReserveRow>(Prisma.sql`
      /* reserve model call */ SELECT outcome, spent::float, reserved::float, max::float
      FROM reserve_model_call(${tenantId}, ${step.runId}, ${step.epoch}::int, ${step.effectKey},
                              ${needed.tokens}::bigint, ${needed.cost}::bigint)`);
    const { outcome, spent, reserved, max: limit } = row!;
    if (outcome === 'reserved' || outcome === 'stale') return outcome;
    const [scope, unit] = outcome.split('_') as [BudgetShortfall['scope'], BudgetShortfall['unit']];
    return { scope, unit, spent, reserved, needed: needed[unit], limit };
  }

  /** Records the usage of a call outside a run. */
  async enterWithoutRun(
    tenantId: string,
    model: string,
    price: ModelPrice | undefined,
    { input, output, estimated }: { input: number; output: number; estimated: boolean },
  ): Promise<void> {
    const id = newId('cal');
    const cost = price ? costOf(price, input, output) : 0;
    await asService(() =>
      this.db.$statement(Prisma.sql`
        /* enter model call without run */ INSERT INTO model_calls
          (id, tenant_id, effect_key, model, input_tokens, output_tokens, cost, estimated)
        VALUES (${id}, ${tenantId}, ${`check/${id}`}, ${model}, ${input}, ${output}, ${cost}::bigint, ${estimated})`),
    );
  }

  /**
   * Enters the reported usage and releases the reservation. Does not check the epoch, because the tokens are
   * spent even if another runner has claimed the run; a repeated call adds to its step's row.
   *
   * @returns the run's current limits; null if the run does not exist
   */
  async settle(
    tenantId: string,
    step: ModelStep,
    usage: CallUsage,
    wasReserved: boolean,
  ): Promise<Bounds | null> {
    const released = wasReserved ? Prisma.sql`released AS (${this.release(step)}),` : Prisma.empty;
    const [bounds] = await this.db.$statement<Bounds>(Prisma.sql`
      /* settle model call */ WITH ${released} entered AS (
        INSERT INTO model_calls (id, tenant_id, run_id, effect_key, model, input_tokens, output_tokens, cost, estimated,
          cached_tokens, cache_write_tokens, reasoning_tokens)
        SELECT ${newId('cal')}, tenant_id, id, ${step.effectKey}, ${usage.model}, ${usage.inputTokens},
               ${usage.outputTokens}, ${usage.cost}::bigint, ${usage.estimated}, ${usage.cachedTokens ?? 0},
               ${usage.cacheWriteTokens ?? 0}, ${usage.reasoningTokens ?? 0}
        FROM runs WHERE id = ${step.runId} AND tenant_id = ${tenantId}
        ON CONFLICT (effect_key) DO UPDATE SET
          input_tokens = model_calls.input_tokens + EXCLUDED.input_tokens,
          output_tokens = model_calls.output_tokens + EXCLUDED.output_tokens,
          cached_tokens = model_calls.cached_tokens + EXCLUDED.cached_tokens,
          cache_write_tokens = model_calls.cache_write_tokens + EXCLUDED.cache_write_tokens,
          reasoning_tokens = model_calls.reasoning_tokens + EXCLUDED.reasoning_tokens,
          cost = model_calls.cost + EXCLUDED.cost, estimated = model_calls.estimated OR EXCLUDED.estimated
        RETURNING run_id
      )
      SELECT ${BOUNDS} FROM entered JOIN runs r ON r.id = entered.run_id JOIN tenants t ON t.id = r.tenant_id`);
    return bounds ?? null;
  }

  /** Releases the reservation of a call for which the provider reported no usage. */
  async giveBack(tenantId: string, step: ModelStep): Promise<void> {
    await this.db.$executeRaw(
      Prisma.sql`/* give reservation back */ ${this.release(step)} AND tenant_id = ${tenantId}`,
    );
  }

  /**
   * Returns the delete of a reservation of this epoch only: a later runner that repeats the step has its own.
   */
  private release({ effectKey, epoch }: ModelStep): Prisma.Sql {
    return Prisma.sql`DELETE FROM model_reservations WHERE effect_key = ${effectKey} AND epoch = ${epoch}`;
  }

  /**
   * Sets a run's budget to an amount and raises its ancestors' budgets by the difference; idempotent.
   *
   * @returns false if the run is no longer running at this epoch
   */
  async setRunBudget(
    tenantId: string,
    run: { id: string; epoch: number },
    unit: BudgetShortfall['unit'],
    amount: number,
  ): Promise<boolean> {
    const column = unit === 'tokens' ? Prisma.sql`max_tokens` : Prisma.sql`max_cost`;
    const changed = await this.db.$executeRaw`
      /* set budget */ WITH RECURSIVE line AS (
        SELECT id, parent_run_id, ${amount}::bigint - coalesce(${column}, 0) AS added FROM runs
        WHERE id = ${run.id} AND tenant_id = ${tenantId} AND epoch = ${run.epoch} AND status = 'running'
        UNION ALL SELECT p.id, p.parent_run_id, line.added FROM line JOIN runs p ON p.id = line.parent_run_id
      )
      UPDATE runs SET ${column} = CASE runs.id WHEN ${run.id} THEN ${amount}::bigint ELSE ${column} + line.added END
      FROM line WHERE runs.id = line.id`;
    return changed > 0;
  }

  /** Returns what a run has used so far. */
  async ofRun(tenantId: string, runId: string): Promise<Spending> {
    const [row] = await this.db.$queryRaw<Spending[]>`
      SELECT coalesce(sum(input_tokens::bigint + output_tokens), 0)::float AS tokens,
             coalesce(sum(cost), 0)::float AS cost
      FROM model_calls WHERE run_id = ${runId} AND tenant_id = ${tenantId}`;
    return row!;
  }

  /** Returns a tenant's usage in this month (UTC), and the reservations of its calls in flight. */
  async month(tenantId: string): Promise<TenantMonth> {
    const [row] = await this.db.$queryRaw<
      { spentTokens: number; spentCost: number; reservedTokens: number; reservedCost: number }[]
    >`
      SELECT spent_tokens::float AS "spentTokens", spent_cost::float AS "spentCost",
             reserved_tokens::float AS "reservedTokens", reserved_cost::float AS "reservedCost"
      FROM tenant_month(${tenantId})`;
    const { spentTokens, spentCost, reservedTokens, reservedCost } = row!;
    return {
      spent: { tokens: spentTokens, cost: spentCost },
      reserved: { tokens: reservedTokens, cost: reservedCost },
    };
  }
}
