import { newId } from '#contracts/ids.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { createDatabase, type Database } from '../client.js';
import { proposedWords, ProposalRepository } from './proposals.js';

describe('X9 proposals of a run', () => {
  let database: TestDatabase;
  let db: Database;
  let of: { tenantId: string; runId: string; sessionId: string };
  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 2);
  });
  beforeEach(async () => {
    of = { tenantId: newId('ten'), runId: newId('run'), sessionId: newId('ses') };
    const { tenantId, sessionId } = of;
    await db.tenant.create({ data: { id: tenantId, name: 'test' } });
    await db.session.create({ data: { id: sessionId, tenantId } });
    const run = { id: of.runId, tenantId, sessionId, kind: 'article' };
    await db.run.create({ data: { ...run, status: 'running', inputs: {}, graphVersion: '1' } });
  });
  afterAll(async () => {
    await db.$disconnect();
    await database.drop();
  });

  const rows = (first: number, ...texts: string[]) =>
    texts.map((after, index) => ({
      ...{ ...of, number: first + index },
      ...proposedWords({ before: 'a', after, start: index }),
    }));
  const listed = async () =>
    (await db.proposal.findMany({ where: { runId: of.runId }, orderBy: { number: 'asc' } })).map(
      ({ number, after, state }) => [number, after, state],
    );

  it('are those of the last attempt of a repeated step, and those of earlier rounds stay', async () => {
    const proposals = new ProposalRepository(db);
    const { tenantId, runId } = of;
    await proposals.add(rows(1, 'one'), { tenantId, runId, from: 1 });
    await proposals.add(rows(11, 'two', 'three'), { tenantId, runId, from: 11 });
    await proposals.add(rows(11, 'four'), { tenantId, runId, from: 11 });
    expect(await listed()).toEqual([
      [1, 'one', 'open'],
      [11, 'four', 'open'],
    ]);
  });

  it('count as accepted once they are applied, whatever was decided while they were', async () => {
    const proposals = new ProposalRepository(db);
    const { tenantId, runId } = of;
    await proposals.add(rows(1, 'one', 'two'));
    await proposals.decide(tenantId, runId, { numbers: [1] }, { state: 'rejected' });
    await proposals.apply(tenantId, runId, [1], [2]);
    expect(await listed()).toEqual([
      [1, 'one', 'accepted'],
      [2, 'two', 'open'],
    ]);
    expect(await proposals.decide(tenantId, runId, { numbers: [1] }, { state: 'open' })).toBe('applied');
  });
});
