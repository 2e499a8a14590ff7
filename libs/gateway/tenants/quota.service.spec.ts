import { gatewaySettings, loadSettings } from '#config/settings.js';
import { newId } from '#contracts/ids.js';
import { createDatabase, type Database } from '#db/client.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { ModelUsageRepository } from '#db/repositories/model-usage.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { QuotaService } from './quota.service.js';

describe('QuotaService', () => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 2);
  });
  afterAll(async () => {
    await db.$disconnect();
    await database.drop();
  });

  const quotaWith = (env: NodeJS.ProcessEnv) =>
    new QuotaService(
      db,
      loadSettings(gatewaySettings, { DATABASE_URL: database.url, STORAGE_DIR: '.', ...env }),
      new TenantRepository(db),
      new ModelUsageRepository(db),
      new SessionFileRepository(db),
    );
  const tenantWith = async (maxMonthlyCost: bigint | null) => {
    const id = newId('ten');
    await db.tenant.create({ data: { id, name: 'test', maxMonthlyCost } });
    return id;
  };
  const prices = JSON.stringify({ priced: { input: 1_000_000, output: 2_000_000 } });

  it('X7 rejects a cost budget that it cannot enforce, of a run or of the tenant', async () => {
    const [free, bounded] = [await tenantWith(null), await tenantWith(5n)];
    const unpriced = quotaWith({ OPENAI_MODEL: 'other', MODEL_PRICES: prices });
    const unknown = { code: 'model_price_unknown' };
    await expect(unpriced.requireModelBudget(free, { max_cost: 5 })).rejects.toMatchObject(unknown);
    await expect(unpriced.requireModelBudget(bounded, {})).rejects.toMatchObject(unknown);
    await expect(unpriced.requireModelBudget(free, { max_tokens: 5 })).resolves.toBeUndefined();
    for (const env of [{ OPENAI_MODEL: 'priced', MODEL_PRICES: prices }, {}]) {
      await expect(quotaWith(env).requireModelBudget(free, { max_cost: 5 })).resolves.toBeUndefined();
      await expect(quotaWith(env).requireModelBudget(bounded, {})).resolves.toBeUndefined();
    }
  });

  it('X7 rejects a run when the cost limit of the month is reached', async () => {
    const tenantId = await tenantWith(5n);
    const session = await db.session.create({ data: { id: newId('ses'), tenantId } });
    const run = { id: newId('run'), tenantId, sessionId: session.id, kind: 'document', status: 'completed' };
    await db.run.create({ data: { ...run, inputs: {}, graphVersion: '1' } });
    const call = { id: 'cal_1', tenantId, runId: run.id, effectKey: 'x', model: 'm' };
    await db.modelCall.create({ data: { ...call, inputTokens: 1, outputTokens: 1, cost: 5n } });
    const refused = quotaWith({}).requireModelBudget(tenantId, {});
    await expect(refused).rejects.toMatchObject({ code: 'cost_quota_exceeded', status: 429 });
  });

  it.each([
    '{',
    '[]',
    '{"m": {"input": 1.5, "output": 1}}',
    '{"m": {"input": 1}}',
    '{"m": {"input": -1, "output": 1}}',
  ])('X7 rejects the prices %s at start-up', (MODEL_PRICES) => {
    expect(() => quotaWith({ MODEL_PRICES })).toThrow(/MODEL_PRICES: must be JSON like/);
  });
});
