import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import fc from 'fast-check';
import { createDatabase, type Database } from '../client.js';
import { newId } from '#contracts/ids.js';
import { ModelUsageRepository, type ModelStep } from './model-usage.js';

describe('ModelUsageRepository', () => {
  let database: TestDatabase;
  let db: Database;
  let usage: ModelUsageRepository;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 8);
    usage = new ModelUsageRepository(db);
  });
  afterAll(async () => {
    await db.$disconnect();
    await database.drop();
  });

  const tenantWith = async (limits: { maxMonthlyTokens?: bigint; maxMonthlyCost?: bigint } = {}) => {
    const id = newId('ten');
    await db.tenant.create({ data: { id, name: 'test', ...limits } });
    return id;
  };
  /** A run that is leased at epoch 1. */
  const heldRun = async (tenantId: string, budget: { maxTokens?: bigint; maxCost?: bigint } = {}) => {
    const session = await db.session.create({ data: { id: newId('ses'), tenantId } });
    const state = { kind: 'document', status: 'running', epoch: 1, inputs: {}, graphVersion: '1' };
    const id = newId('run');
    await db.run.create({ data: { id, tenantId, sessionId: session.id, ...state, ...budget } });
    return id;
  };
  const step = (runId: string, name: string, epoch = 1): ModelStep => ({
    runId,
    epoch,
    effectKey: `${runId}/${name}`,
  });
  const needs = (tokens: number, cost = 0) => ({ tokens, cost });
  const reported = (inputTokens: number, outputTokens: number, cost = 0) => ({
    model: 'm',
    inputTokens,
    outputTokens,
    cost,
    estimated: false,
  });

  it('X7 never exceeds the budget of a tenant, however many runs reserve at the same time', async () => {
    const tenant = await tenantWith({ maxMonthlyTokens: 1_000n, maxMonthlyCost: 70n });
    const runs = await Promise.all(Array.from({ length: 40 }, () => heldRun(tenant)));
    const outcomes = await Promise.all(
      runs.map((run) => usage.reserve(tenant, step(run, 'a'), needs(90, 10))),
    );
    expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(7);
    const refused = outcomes.find((outcome) => typeof outcome === 'object');
    expect(refused).toEqual({ scope: 'tenant', unit: 'cost', spent: 0, reserved: 70, needed: 10, limit: 70 });
    expect(await usage.month(tenant)).toEqual({ spent: needs(0), reserved: needs(630, 70) });
  });

  it('X7 names the budget that would be exceeded: that of the run before that of the tenant', async () => {
    const tenant = await tenantWith({ maxMonthlyTokens: 100n });
    const run = await heldRun(tenant, { maxTokens: 50n, maxCost: 5n });
    const reserve = (tokens: number, cost: number) =>
      usage.reserve(tenant, step(run, 'a'), needs(tokens, cost));
    expect(await reserve(51, 1)).toMatchObject({ scope: 'run', unit: 'tokens', needed: 51, limit: 50 });
    expect(await reserve(50, 6)).toMatchObject({ scope: 'run', unit: 'cost', needed: 6, limit: 5 });
    expect(await usage.setRunBudget(tenant, { id: run, epoch: 1 }, 'tokens', 200)).toBe(true);
    expect(await reserve(101, 1)).toMatchObject({ scope: 'tenant', unit: 'tokens', limit: 100 });
    expect(await reserve(100, 5)).toBe('reserved');
  });

  it('X7 X4 makes a separate reservation for a repeated step and adds the usage of its call', async () => {
    const tenant = await tenantWith();
    const run = await heldRun(tenant, { maxTokens: 100n });
    expect(await usage.reserve(tenant, step(run, 'a'), needs(80))).toBe('reserved');
    await db.run.update({ where: { id: run }, data: { epoch: 2 } });
    expect(await usage.reserve(tenant, step(run, 'a'), needs(80))).toBe('stale');
    expect(await usage.reserve(tenant, step(run, 'a', 2), needs(80))).toBe('reserved');
    // The runner that was considered dead continues: its call is charged, and the other runner's reservation remains.
    await usage.settle(tenant, step(run, 'a'), reported(10, 2), true);
    expect(await db.modelReservation.count({ where: { runId: run } })).toBe(1);
    const bounds = await usage.settle(tenant, step(run, 'a', 2), reported(10, 3), true);
    expect(bounds).toEqual({ isBounded: true, byCost: false, defaultMaxTokens: null });
    expect(await db.modelReservation.count({ where: { runId: run } })).toBe(0);
    const calls = await db.modelCall.findMany({ where: { runId: run } });
    expect(calls.map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens])).toEqual([[20, 5]]);
    expect(await usage.reserve(tenant, step(run, 'b', 2), needs(76))).toMatchObject({ spent: 25 });
    expect(await usage.reserve(tenant, step(run, 'b', 2), needs(75))).toBe('reserved');
  });

  it('X7 ignores reservations of ended runs, and rejects runs of other tenants', async () => {
    const tenant = await tenantWith({ maxMonthlyTokens: 100n });
    const [ended, next] = [await heldRun(tenant), await heldRun(tenant)];
    await usage.reserve(tenant, step(ended, 'a'), needs(100));
    expect(await usage.reserve(tenant, step(next, 'a'), needs(100))).toMatchObject({ reserved: 100 });
    await db.run.update({ where: { id: ended }, data: { status: 'cancelled' } });
    expect(await usage.reserve(tenant, step(next, 'a'), needs(100))).toBe('reserved');
    const stranger = await tenantWith();
    expect(await usage.reserve(stranger, step(next, 'b'), needs(1))).toBe('stale');
    expect(await usage.settle(stranger, step(next, 'a'), reported(1, 1), false)).toBeNull();
    expect(await usage.setRunBudget(stranger, { id: next, epoch: 1 }, 'cost', 1)).toBe(false);
    await usage.giveBack(stranger, step(next, 'a'));
    expect((await usage.month(tenant)).reserved.tokens).toBe(100);
    await usage.giveBack(tenant, step(next, 'a'));
    expect((await usage.month(tenant)).reserved.tokens).toBe(0);
  });

  it('X7 ends the reservation of a call with the time limit of its answer', async () => {
    const tenant = await tenantWith({ maxMonthlyTokens: 100n });
    const [endless, next] = [await heldRun(tenant), await heldRun(tenant)];
    await usage.reserve(tenant, step(endless, 'a'), needs(100));
    expect(await usage.reserve(tenant, step(next, 'a'), needs(100))).toMatchObject({ reserved: 100 });
    await db.$executeRaw`UPDATE model_reservations SET created_at = created_at - interval '36 minutes'`;
    expect((await usage.month(tenant)).reserved.tokens).toBe(0);
    expect(await usage.reserve(tenant, step(next, 'a'), needs(100))).toBe('reserved');
    expect(await db.modelReservation.count({ where: { tenantId: tenant } })).toBe(1);
  });

  it('X7 equals a simple model for any order of reservations, settlements and failures', async () => {
    const event = fc.record({
      run: fc.nat(2),
      act: fc.constantFrom('reserve' as const, 'settle' as const, 'fail' as const),
      tokens: fc.integer({ min: 1, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
        const tenant = await tenantWith({ maxMonthlyTokens: 100n });
        const runs = [
          await heldRun(tenant),
          await heldRun(tenant, { maxTokens: 40n }),
          await heldRun(tenant),
        ];
        const own = [Infinity, 40, Infinity];
        const held = [0, 0, 0];
        const spent = [0, 0, 0];
        const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
        for (const { run, act, tokens } of events) {
          const call = step(runs[run]!, 'a');
          if (act === 'reserve') {
            held[run] = 0;
            const fits = spent[run]! + tokens <= own[run]! && sum(spent) + sum(held) + tokens <= 100;
            if (fits) held[run] = tokens;
            expect((await usage.reserve(tenant, call, needs(tokens))) === 'reserved').toBe(fits);
          } else if (act === 'settle') {
            const used = Math.min(tokens, held[run]!);
            spent[run]! += used;
            held[run] = 0;
            await usage.settle(tenant, call, reported(used, 0), true);
          } else {
            held[run] = 0;
            await usage.giveBack(tenant, call);
          }
        }
        const month = await usage.month(tenant);
        expect(month).toEqual({ spent: needs(sum(spent)), reserved: needs(sum(held)) });
        expect(month.spent.tokens + month.reserved.tokens).toBeLessThanOrEqual(100);
      }),
      { numRuns: 25 },
    );
  });
});
