import { workerNames } from '#contracts/queues.js';
import { newId } from '#contracts/ids.js';
import { createDatabase, type Database } from '#db/client.js';
import { queueColumns } from '#testing/columns.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { until } from '#testing/until.js';
import fc from 'fast-check';

const MIB = 2 ** 20;

interface Owner {
  tenantId: string;
  sessionId: string;
  runId: string;
}

interface Served {
  owner: Owner;
  /** 1 and the MiB of its file. */
  work: number;
}

describe('X14 tenants share a worker queue', () => {
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
  beforeEach(() => db.tenant.deleteMany());

  /** Creates a tenant with files named by their size in MiB. */
  async function owner(sizes: number[] = [], weight = 1): Promise<Owner> {
    const [tenantId, sessionId, runId] = [newId('ten'), newId('ses'), newId('run')];
    await db.tenant.create({ data: { id: tenantId, name: 'test', weight } });
    await db.session.create({ data: { id: sessionId, tenantId } });
    const run = {
      id: runId,
      tenantId,
      sessionId,
      kind: 'tiny',
      status: 'waiting',
      inputs: {},
      graphVersion: '1',
    };
    await db.run.create({ data: run });
    await db.sessionFile.createMany({
      data: [...new Set(sizes)].map((size) => ({
        ...{
          id: newId('fil'),
          tenantId,
          sessionId,
          folder: 'inputs',
          name: String(size),
          objectKey: newId('fil'),
        },
        ...{ size: size * MIB, sha256: '', mediaType: '' },
      })),
    });
    return { tenantId, sessionId, runId };
  }

  let count = 0;
  /** Adds tasks of one pause, each with a file of so many MiB; 0: without a file. */
  async function pause({ tenantId, sessionId, runId }: Owner, queue: string, sizes: number[]): Promise<void> {
    const tasks = sizes.map((size) => {
      const id = `tsk_${String(++count).padStart(9, '0')}`;
      return { id, queue, files: size === 0 ? [] : [String(size)] };
    });
    await db.$executeRaw`
      INSERT INTO tasks (id, tenant_id, run_id, name, queue, node, checkpoint_id, interrupt_id, status, input, turn, cost, created_at)
      SELECT task_id, ${tenantId}, ${runId}, 'x', ${queue}, 'x', 'x', 'x', 'pending', '{}', task_turn, task_cost, clock_timestamp()
      FROM task_turns(${tenantId}, ${sessionId}, ${JSON.stringify(tasks)}::jsonb)`;
  }

  /** Completes the next task of a queue, as a worker with one place does. */
  async function serve(queue: string, owners: Owner[]): Promise<Served | null> {
    const [row] = await db.$queryRaw<{ tenantId: string; work: number }[]>`
      UPDATE tasks SET status = 'completed' WHERE id = (
        SELECT id FROM tasks WHERE queue = ${queue} AND status = 'pending' ORDER BY floor(turn), created_at, id LIMIT 1)
      RETURNING tenant_id AS "tenantId", cost * (SELECT weight FROM tenants t WHERE t.id = tenant_id) AS work`;
    return row ? { owner: owners.find(({ tenantId }) => tenantId === row.tenantId)!, work: row.work } : null;
  }

  const queues = workerNames.filter((name) => name !== 'agent-runner');

  it.each(queues)(
    'by tasks: at most as many of a flood go before a neighbour’s task as it has itself, on %s',
    async (queue) => {
      const flood = await owner();
      const neighbours = await Promise.all(Array.from({ length: 19 }, () => owner()));
      await pause(flood, queue, Array<number>(200).fill(0));
      for (const neighbour of neighbours) for (let n = 0; n < 3; n++) await pause(neighbour, queue, [0]);
      const all = [flood, ...neighbours];
      const done = new Map<Owner, number>();
      let ofFlood = 0;
      for (let n = 0; n < 20 * 3; n++) {
        const { owner: next } = (await serve(queue, all))!;
        if (next === flood) ofFlood += 1;
        done.set(next, (done.get(next) ?? 0) + 1);
        if (next !== flood) expect(ofFlood).toBeLessThanOrEqual(done.get(next)!);
      }
      expect([...done.values()]).toEqual(Array(20).fill(3));
    },
  );

  it.each(queues)(
    'by bytes: at most one large file of a flood goes before the small ones of a neighbour, on %s',
    async (queue) => {
      const flood = await owner([60]);
      const neighbours = await Promise.all(Array.from({ length: 19 }, () => owner()));
      await pause(flood, queue, Array<number>(50).fill(60));
      for (const neighbour of neighbours) await pause(neighbour, queue, [0, 0, 0]);
      const all = [flood, ...neighbours];
      let large = 0;
      for (let n = 0; n < 1 + 19 * 3; n++) if ((await serve(queue, all))!.owner === flood) large += 1;
      expect(large).toBe(1);
    },
  );

  it('whatever they add and when, tenants that wait get work in proportion to their weights', async () => {
    const size = fc.constantFrom(0, 0, 0, 1, 5, 30);
    const action = fc.oneof(
      fc.record({ tenant: fc.nat(3), sizes: fc.array(size, { minLength: 1, maxLength: 8 }) }),
      fc.constant('serve' as const),
      fc.constant('serve' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 40 }), async (actions) => {
        await db.tenant.deleteMany();
        const weights = [1, 1, 2, 4];
        const owners = await Promise.all(weights.map((weight) => owner([1, 5, 30], weight)));
        /** Work of each tenant, divided by its weight, since all of them wait. */
        let share = new Map<Owner, number>();
        for (const each of actions) {
          if (each !== 'serve') await pause(owners[each.tenant]!, 'tools', each.sizes);
          else {
            const served = await serve('tools', owners);
            if (served) {
              const weight = weights[owners.indexOf(served.owner)]!;
              share.set(served.owner, (share.get(served.owner) ?? 0) + served.work / weight);
            }
          }
          const waiting = await db.task.groupBy({ by: ['tenantId'], where: { status: 'pending' } });
          if (waiting.length < owners.length) share = new Map(owners.map((one) => [one, 0]));
          const shares = [...share.values()];
          // Start-time fair queueing: two waiting tenants differ by at most one task each; floor adds one turn.
          if (shares.length > 0)
            expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2 * 31 + 2);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('an idle tenant saves up nothing, and a tenant that was served before is not behind', async () => {
    const [old, fresh] = [await owner(), await owner()];
    await pause(old, 'tools', Array<number>(20).fill(0));
    for (let n = 0; n < 10; n++) await serve('tools', [old, fresh]);
    await pause(fresh, 'tools', Array<number>(10).fill(0));
    const order: Owner[] = [];
    for (let n = 0; n < 8; n++) order.push((await serve('tools', [old, fresh]))!.owner);
    expect(order.filter((each) => each === fresh)).toHaveLength(4);
  });
});

describe.each(queueColumns())('X14 a worker on $name', (column) => {
  let bed: EngineBed;
  beforeAll(async () => {
    bed = await EngineBed.open(column);
  });
  afterAll(() => bed.close());

  it('processes tasks by turn, whatever a neighbour has in the queue', async () => {
    const items = (prefix: string, length: number) => Array.from({ length }, (_, n) => `${prefix}${n}`);
    const kinds = {
      flood: new TinyGraph([{ kind: 'fan-out', name: 'all', items: items('flood', 40) }]),
      small: new TinyGraph([{ kind: 'fan-out', name: 'all', items: items('small', 3) }]),
    };
    bed.runner(kinds, 1);
    const pending = (length: number) =>
      until(
        `${length} tasks are pending`,
        () => bed.db.task.count({ where: { status: 'pending' } }),
        (found) => found === length,
      );
    const flood = await bed.start(await bed.tenant(), 'flood');
    await pending(40);
    const small = await bed.start(await bed.tenant(), 'small');
    await pending(43);
    const order: string[] = [];
    bed.workers((item) => {
      order.push(item);
      return item;
    }, 1);
    await bed.until(small, 'completed');
    await bed.until(flood, 'completed');
    const last = order.findLastIndex((item) => item.startsWith('small'));
    expect(order.slice(0, last).filter((item) => item.startsWith('flood')).length).toBeLessThanOrEqual(3);
  });
});
