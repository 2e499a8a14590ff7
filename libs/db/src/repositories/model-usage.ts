import type { BudgetShortfall } from '#contracts/budgets.js';
import { newId } from '#contracts/ids.js';
import { Prisma, type Database } from '../client.js';
import { ASYNC_COMMIT } from '../async-commit.js';

/** The call of a step: a step that is repeated is the same call, made again. */
export interface ModelStep {
  runId: string;
  /** Of the runner that makes the call. */
  epoch: number;
  effectKey: string;
}

/** Tokens, and their cost in millionths of the currency. */
export interface Spending {
  tokens: number;
  cost: number;
}

export interface CallUsage {
  model: string;
  inputTokens: number;
  outputTokens: number;
  cost: number;
  estimated: boolean;
}

export interface TenantMonth {
  spent: Spending;
  reserved: Spending;
}

/** Of a tenant: tokens, and millionths of the currency. */
export interface MonthlyLimits {
  maxTokens: number | null;
  maxCost: number | null;
}

/** Whether a budget bounds a run: its own, or its tenant's for the month. */
export interface Bounds {
  isBounded: boolean;
  /** Whether one of the budgets is in money, so that the model needs a price. */
  byCost: boolean;
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
  (r.max_cost IS NOT NULL OR t.max_monthly_cost IS NOT NULL) AS "byCost"`;

/** The ledger of model calls and the budgets that it is held against (X7). */
export class ModelUsageRepository {
  constructor(private readonly db: Database) {}

  /**
   * Notes with a run what writes it, the first time, and tells whether a budget bounds it. The next step that is committed makes the note
   * durable; who goes on without it notes it again.
   */
  async begin(tenantId: string, runId: string, model: string, promptVersion: string): Promise<Bounds> {
    const [bounds] = await this.db.$statement<Bounds>(Prisma.sql`
      /* name model */ WITH named AS (
        UPDATE runs SET model = ${model}, prompt_version = ${promptVersion}
        WHERE id = ${runId} AND tenant_id = ${tenantId} AND model IS NULL
      )
      SELECT ${BOUNDS}, ${ASYNC_COMMIT} FROM runs r JOIN tenants t ON t.id = r.tenant_id
      WHERE r.id = ${runId} AND r.tenant_id = ${tenantId}`);
    return bounds ?? { isBounded: false, byCost: false };
  }

  /** What a tenant may spend in a month; null where nothing limits it. */
  async monthlyLimits(tenantId: string): Promise<MonthlyLimits> {
    const [limits] = await this.db.$statement<MonthlyLimits>(Prisma.sql`
      /* monthly limits */ SELECT max_monthly_tokens::float AS "maxTokens", max_monthly_cost::float AS "maxCost"
      FROM tenants WHERE id = ${tenantId}`);
    return limits ?? { maxTokens: null, maxCost: null };
  }

  /**
   * Sets aside the most that a call may take. Whatever is reserved at the same time, a budget is never exceeded by what
   * is reserved and spent together.
   *
   * @returns `reserved`; `stale` when the run is held at another epoch or has ended; else the budget in the way
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

  /**
   * Enters what the provider reported and gives back what was reserved. Tokens were spent whoever holds the run by now, so
   * this asks for no epoch; a call that was made again adds to its step's row.
   *
   * @returns what bounds the run by now; null when the run is gone
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
        INSERT INTO model_calls (id, tenant_id, run_id, effect_key, model, input_tokens, output_tokens, cost, estimated)
        SELECT ${newId('cal')}, tenant_id, id, ${step.effectKey}, ${usage.model}, ${usage.inputTokens},
               ${usage.outputTokens}, ${usage.cost}::bigint, ${usage.estimated}
        FROM runs WHERE id = ${step.runId} AND tenant_id = ${tenantId}
        ON CONFLICT (effect_key) DO UPDATE SET
          input_tokens = model_calls.input_tokens + EXCLUDED.input_tokens,
          output_tokens = model_calls.output_tokens + EXCLUDED.output_tokens,
          cost = model_calls.cost + EXCLUDED.cost, estimated = model_calls.estimated OR EXCLUDED.estimated
        RETURNING run_id
      )
      SELECT ${BOUNDS} FROM entered JOIN runs r ON r.id = entered.run_id JOIN tenants t ON t.id = r.tenant_id`);
    return bounds ?? null;
  }

  /** Gives back what was reserved for a call for which the provider reported nothing. */
  async giveBack(tenantId: string, step: ModelStep): Promise<void> {
    await this.db.$executeRaw(
      Prisma.sql`/* give reservation back */ ${this.release(step)} AND tenant_id = ${tenantId}`,
    );
  }

  /** A step that is made again by a later runner keeps that runner's reservation. */
  private release({ effectKey, epoch }: ModelStep): Prisma.Sql {
    return Prisma.sql`DELETE FROM model_reservations WHERE effect_key = ${effectKey} AND epoch = ${epoch}`;
  }

  /**
   * Sets a run's budget to an amount, and gives the runs that asked for it as much more; doing it twice changes nothing.
   *
   * @returns false when the run is no longer held at this epoch
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

  /** What a tenant spent in this month (UTC), and what is set aside for its calls in flight. */
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
