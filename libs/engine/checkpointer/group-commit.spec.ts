import { createDatabase, Prisma, type Database } from '#db/client.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { until } from '#testing/until.js';
import { createHook } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { commitTogether } from './group-commit.js';

let bed: EngineBed;
let tenant: string;
/** Connections of another process. */
let other: Database;
beforeAll(async () => {
  bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
  tenant = await bed.tenant();
  other = createDatabase(bed.database.url, 4);
});
afterAll(async () => {
  await other.$disconnect();
  await bed.close();
});

const runs = (count: number) => Promise.all(Array.from({ length: count }, () => bed.start(tenant, 'any')));

/** A statement that counts in a run's row, as a step does, and then takes `seconds`. */
const step = (runId: string, seconds = 0) => Prisma.sql`
  WITH run_row AS (UPDATE runs SET step = step + 1 WHERE id = ${runId} RETURNING step)
  SELECT step, pg_current_xact_id()::text AS xact FROM run_row, LATERAL (SELECT pg_sleep(${seconds}::float)) s`;

interface Stepped {
  step: number;
  xact: string;
}
const commit = (runId: string, db = bed.db, seconds = 0) => commitTogether<Stepped>(db, step(runId, seconds));
const failing = Prisma.sql`SELECT 1 / ${0}::int`;

/** Begins with `count` runs and two batches under way, so that what follows waits for one of them. */
async function begin(count: number, db = bed.db) {
  const [a, b, ...ids] = await runs(count + 2);
  const first = commit(a!, db, 0.1);
  await setImmediate();
  const second = commit(b!, db, 0.1);
  await setImmediate();
  return { ids, before: Promise.all([first, second]) };
}

/** Ends the sessions whose statements sleep, once there are `count`. */
async function endSleeping(count: number): Promise<void> {
  const sleeping = Prisma.sql`FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
  await until(`${count} batches to be under way`, async () => {
    const [row] = await other.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count ${sleeping}`;
    return row!.count === count;
  });
  await other.$queryRaw`SELECT pg_terminate_backend(pid) ${sleeping}`;
}
const stepOf = async (id: string) => (await bed.run(id)).step;

describe('Statements of several runs', () => {
  it('are committed in one transaction if they come together or while two are under way', async () => {
    const { ids, before } = await begin(3);
    const together = await Promise.all(ids.map((id) => commit(id)));
    expect(new Set((await before).flat().map(({ xact }) => xact)).size).toBe(2);
    expect(new Set(together.flat().map(({ xact }) => xact)).size).toBe(1);
    const again = await Promise.all(ids.map((id) => commit(id)));
    expect(new Set(again.flat().map(({ xact }) => xact)).size).toBe(1);
    expect(await Promise.all(ids.map(stepOf))).toEqual([2, 2, 2]);
  });

  it('are not held up by one whose row is locked, which takes effect once the row is free', async () => {
    const [blocked, ...free] = await runs(4);
    let release!: () => void;
    let isLocked!: () => void;
    const locked = new Promise<void>((resolve) => (isLocked = resolve));
    const lock = other.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM runs WHERE id = ${blocked!} FOR UPDATE`;
      isLocked();
      await new Promise<void>((resolve) => (release = resolve));
    });
    await locked;
    const { before } = await begin(0);
    let isDone = false;
    const late = commit(blocked!).then((rows) => {
      isDone = true;
      return rows;
    });
    await Promise.all(free.map((id) => commit(id)));
    await before;
    // Two slots would be taken for good by two blocked runs; the following ones are not held up either.
    await Promise.all(free.map((id) => commit(id)));
    expect(isDone).toBe(false);
    release();
    await lock;
    expect(await late).toEqual([expect.objectContaining({ step: 1 })]);
    expect(await Promise.all([blocked!, ...free].map(stepOf))).toEqual([1, 2, 2, 2]);
  });

  it('take effect once though another one of the batch fails', async () => {
    const { ids, before } = await begin(3);
    const refused = expect(commitTogether(bed.db, failing)).rejects.toMatchObject({ code: '22012' });
    const rows = await Promise.all(ids.map((id) => commit(id)));
    await refused;
    await before;
    expect(rows.flat().map((row) => row.step)).toEqual([1, 1, 1]);
  });

  it('do not fail by a deadlock with the batch of a stale process', async () => {
    const { before: others } = await begin(0, other);
    const { ids, before } = await begin(6);
    const order = [...ids].reverse();
    await Promise.all([
      others,
      before,
      ...ids.map((id) => commit(id, bed.db, 0.03)),
      ...order.map((id) => commit(id, other, 0.03)),
    ]);
    expect(await Promise.all(ids.map(stepOf))).toEqual(ids.map(() => 2));
  });

  it('are one message each if they come alone, and leave no timer once they are answered', async () => {
    const timers = new Set<number>();
    const hook = createHook({
      init: (id, type) => void (type === 'Timeout' && timers.add(id)),
      destroy: (id) => void timers.delete(id),
    });
    const $together = () => Promise.resolve([[], [{ step: 1 }], [{ step: 2 }]]);
    const $statement = () => Promise.resolve([{ step: 3 }]);
    const db = { $together, $statement } as unknown as Database;
    hook.enable();
    const together = Promise.all([commitTogether(db, step('run_a')), commitTogether(db, step('run_b'))]);
    expect(await together).toEqual([[{ step: 1 }], [{ step: 2 }]]);
    expect(await commitTogether(db, step('run_alone'))).toEqual([{ step: 3 }]);
    // The end of a timer is reported in a later turn.
    await setImmediate();
    await setImmediate();
    hook.disable();
    expect(timers.size).toBe(0);
  });

  it('are not held up by two batches that are not answered', async () => {
    const [free, ...stuck] = await runs(5);
    const commitStuck = (ids: string[]) => Promise.allSettled(ids.map((id) => commit(id, bed.db, 60)));
    const first = commitStuck(stuck.slice(2));
    await setImmediate();
    const both = Promise.all([first, commitStuck(stuck.slice(0, 2))]);
    await setImmediate();
    expect(await commit(free!)).toEqual([expect.objectContaining({ step: 1 })]);
    await endSleeping(2);
    const ends = (await both).flat().map(({ status }) => status);
    expect(ends).toEqual(Array.from({ length: 4 }, () => 'rejected'));
  });

  it('are not sent again if the connection is lost, because they may be committed', async () => {
    const { ids, before } = await begin(3);
    const sent = Promise.allSettled(ids.map((id) => commit(id, bed.db, 60)));
    await before;
    await endSleeping(1);
    expect((await sent).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await Promise.all(ids.map(stepOf))).toEqual([0, 0, 0]);
  });
});
