import { newId } from '#contracts/ids.js';
import { createDatabase, type Database } from '#db/client.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import fc from 'fast-check';

interface ModelRun {
  id: string;
  tenant: number;
  priority: number;
  /** Order of creation over all tenants. */
  age: number;
  express: boolean;
}

interface ModelTenant {
  id: string;
  weight: number;
  cap: number;
}

/** A short model of the dispatcher: which runs to dispatch, in order, given the queued and running ones. */
function dispatched(tenants: ModelTenant[], queued: ModelRun[], inFlight: ModelRun[]): ModelRun[] {
  const handedOut = tenants.flatMap(({ weight, cap }, tenant) => {
    const held = inFlight.filter((run) => run.tenant === tenant);
    const places = weight - held.filter(({ express }) => express).length;
    return queued
      .filter((run) => run.tenant === tenant)
      .sort((a, b) => b.priority - a.priority || a.age - b.age)
      .slice(0, Math.max(0, cap - held.length))
      .map((run, index) => ({ ...run, express: index < places, turn: (index + 1) / weight }));
  });
  return handedOut.sort((a, b) => a.turn - b.turn || a.age - b.age).map(({ turn: _turn, ...run }) => run);
}

describe('dispatch_runs', () => {
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

  const START = Date.UTC(2026, 0, 1);
  async function enqueue(tenants: ModelTenant[], runs: ModelRun[]): Promise<void> {
    const sessions = runs.map(({ id, tenant }) => ({ id: `ses_${id}`, tenantId: tenants[tenant]!.id }));
    await db.session.createMany({ data: sessions });
    const data = runs.map(({ id, tenant, priority, age }) => ({
      ...{ id, tenantId: tenants[tenant]!.id, sessionId: `ses_${id}`, kind: 'tiny', status: 'queued' },
      ...{ priority, createdAt: new Date(START + age), inputs: {}, graphVersion: '1' },
    }));
    await db.run.createMany({ data });
  }
  const dispatch = () =>
    db.$queryRaw<{ id: string; express: boolean }[]>`
      SELECT run_id AS id, run_express AS express FROM dispatch_runs()`;

  const tenant = fc.record({ weight: fc.integer({ min: 1, max: 4 }), cap: fc.integer({ min: 1, max: 6 }) });
  const round = fc.record({
    queued: fc.array(fc.record({ tenant: fc.nat(2), priority: fc.integer({ min: 0, max: 9 }) }), {
      maxLength: 12,
    }),
    /** Which of the runs in flight end before the round. */
    ended: fc.array(fc.nat(20), { maxLength: 6 }),
  });

  it('X7 dispatches like a simple model: by weight across tenants, by priority within each, up to the caps', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(tenant, { minLength: 3, maxLength: 3 }),
        fc.array(round, { minLength: 1, maxLength: 5 }),
        async (limits, rounds) => {
          await db.tenant.deleteMany();
          const tenants = limits.map((limit) => ({ id: newId('ten'), ...limit }));
          await db.tenant.createMany({
            data: tenants.map(({ id, weight, cap }) => ({ id, name: 'test', weight, maxActiveRuns: cap })),
          });
          let queued: ModelRun[] = [];
          let inFlight: ModelRun[] = [];
          let age = 0;
          for (const { queued: more, ended } of rounds) {
            const over = new Set(ended.map((index) => inFlight[index]?.id));
            await db.run.updateMany({
              where: { id: { in: [...over].filter((id) => id !== undefined) } },
              data: { status: 'completed' },
            });
            inFlight = inFlight.filter(({ id }) => !over.has(id));
            const fresh = more.map((run) => ({ ...run, id: newId('run'), age: ++age, express: false }));
            await enqueue(tenants, fresh);
            queued = [...queued, ...fresh];
            const expected = dispatched(tenants, queued, inFlight);
            expect(await dispatch()).toEqual(expected.map(({ id, express }) => ({ id, express })));
            inFlight = [...inFlight, ...expected];
            queued = queued.filter(({ id }) => !expected.some((run) => run.id === id));
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
