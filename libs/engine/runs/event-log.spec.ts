import { newId } from '#contracts/ids.js';
import { createDatabase, Prisma, type Database } from '#db/client.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { eventsCte, heldAt } from './event-log.js';

/** Node of a query plan in the output of `EXPLAIN (ANALYZE, FORMAT JSON)`. */
interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

const SCANNED = ['runs', 'run_events'];

/** How many rows of the run's tables a plan has read. */
function rowsRead(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own = SCANNED.includes(node['Relation Name'] ?? '') ? node['Actual Rows'] + removed : 0;
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
  return own * node['Actual Loops'] + below;
}

describe('X4 a statement that appends events', () => {
  let database: TestDatabase;
  let db: Database;
  const tenantId = newId('ten');
  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 2);
    await db.tenant.create({ data: { id: tenantId, name: 'test' } });
  });
  afterAll(async () => {
    await db.$disconnect();
    await database.drop();
  });

  async function addRuns(count: number, status: string): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId('run'));
    await db.session.createMany({ data: ids.map((id) => ({ id: `ses_${id}`, tenantId })) });
    const given = { tenantId, kind: 'tiny', status, epoch: 1, inputs: {}, graphVersion: '1' };
    await db.run.createMany({ data: ids.map((id) => ({ id, sessionId: `ses_${id}`, ...given })) });
    return ids;
  }

  it('reads only the row of its run, for any number of runs and any length of the log', async () => {
    await addRuns(500, 'completed');
    await db.$executeRaw`ANALYZE`;
    const [runId] = await addRuns(100, 'running');
    const data = Array.from({ length: 500 }, (_, seq) => ({
      ...{ runId: runId!, seq, type: 'node_complete', data: {}, effectKey: `node/${seq}` },
    }));
    await db.runEvent.createMany({ data });
    await db.run.update({ where: { id: runId! }, data: { eventSeq: data.length } });
    const events = ['node/7', 'node/new'].map((effectKey) => ({
      ...{ type: 'node_complete' as const, data: {}, effectKey },
    }));
    const statement = eventsCte(runId!, events, heldAt(1));
    const [row] = await db.$statement<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      Prisma.sql`EXPLAIN (ANALYZE, FORMAT JSON) WITH ${statement} SELECT 1 FROM run_row`,
    );
    // The statement reads and updates the run's row, and reads the one event of its log that already exists.
    expect(rowsRead(row!['QUERY PLAN'][0]!.Plan)).toBeLessThanOrEqual(4);
    const added = await db.runEvent.findMany({ where: { runId: runId!, effectKey: 'node/new' } });
    expect(added.map(({ seq }) => seq)).toEqual([data.length + 1]);
  });
});
