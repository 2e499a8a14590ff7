import { newId } from '#contracts/ids.js';
import { costsCsv } from '#contracts/usage-csv.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { createDatabase, type Database } from '../client.js';
import { UsageRepository } from './usage.js';

describe('X7 costs of a tenant', () => {
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

  async function runOf(tenantId: string, title: string | null, kind: string, apiKeyId: string | null) {
    const session = await db.session.create({ data: { id: newId('ses'), tenantId, title } });
    const state = { status: 'completed', inputs: {}, graphVersion: '1' };
    const id = newId('run');
    await db.run.create({ data: { id, tenantId, sessionId: session.id, kind, apiKeyId, ...state } });
    return id;
  }
  const call = (tenantId: string, runId: string | null, cost: bigint, createdAt = new Date()) =>
    db.modelCall.create({
      data: {
        ...{ id: newId('cal'), tenantId, runId, effectKey: newId('cal'), model: 'm', cost, createdAt },
        ...{ inputTokens: 100, cachedTokens: 40, outputTokens: 10 },
      },
    });

  it('are summed by key, project and kind, and calls outside runs are listed', async () => {
    const [tenant, other] = [newId('ten'), newId('ten')];
    for (const id of [tenant, other]) await db.tenant.create({ data: { id, name: 'test' } });
    const key = newId('key');
    await db.apiKey.create({
      data: { id: key, tenantId: tenant, name: '=cmd, "x"', hash: key, prefix: 'sk', scopes: [] },
    });
    const report = await runOf(tenant, 'Report', 'document', key);
    const chapter = await runOf(tenant, null, 'book', null);
    await call(tenant, report, 5n);
    await call(tenant, report, 6n);
    await call(tenant, chapter, 20n);
    await call(tenant, null, 1n);
    await call(tenant, report, 1_000n, new Date(Date.now() - 40 * 86_400_000));
    await call(other, await runOf(other, 'Foreign', 'plan', null), 99n);
    const costs = await new UsageRepository(db).costs(tenant, 30);
    const shown = (rows: (typeof costs)['key']) =>
      rows.map(({ name, cost, model_calls, input_tokens, cached_tokens }) => [
        name,
        cost,
        model_calls,
        input_tokens,
        cached_tokens,
      ]);
    expect(costs.kind.map(({ id, cost }) => [id, cost])).toEqual([
      ['book', 20],
      ['document', 11],
      [null, 1],
    ]);
    expect(shown(costs.key)).toEqual([
      [null, 21, 2, 200, 80],
      ['=cmd, "x"', 11, 2, 200, 80],
    ]);
    expect(shown(costs.project).map(([name, cost]) => [name, cost])).toEqual([
      [null, 20],
      ['Report', 11],
      [null, 1],
    ]);
    const lines = costsCsv(costs).split('\r\n');
    expect(lines).toHaveLength(1 + 3 + 2 + 3 + 1);
    expect(lines).toContain(`key,${key},"'=cmd, ""x""",2,200,80,20,11`);
  });
});
