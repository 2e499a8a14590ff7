import { Prisma } from '#db/client.js';
import { DecisionRepository } from '#db/repositories/decisions.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { TinyGraph } from '#testing/engine/tiny-graph.js';
import { cancelRun } from '../runs/cancel.js';
import { reconcile } from '../recovery/reconcile.js';
import { answerDecision } from './answer.js';
import { remindOfDeadlines } from './reminders.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const ASKED = new Date('2027-03-01T08:00:00Z');

describe('X3 reminders of decisions', () => {
  let bed: EngineBed;
  let tenant: string;

  beforeAll(async () => {
    bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined });
    tenant = await bed.tenant();
    bed.runner({ ask: new TinyGraph([{ kind: 'human', name: 'q' }]) });
    bed.workers();
  });
  afterAll(() => bed.close());

  /** Parks a run at a question that was asked at `ASKED` and has so many seconds. */
  const asked = async (seconds: number, owner = tenant) => {
    const runId = await bed.start(owner, 'ask');
    await bed.until(runId, 'waiting');
    const [decision] = await new DecisionRepository(bed.db).open(owner, [runId]);
    const deadline = new Date(ASKED.getTime() + seconds * 1_000);
    await bed.db.task.update({ where: { id: decision!.id }, data: { createdAt: ASKED, deadline } });
    return { ...decision!, deadline };
  };
  /** Looks for due reminders so many seconds after `ASKED`. */
  const after = (seconds: number, lead = DAY) =>
    remindOfDeadlines(
      bed.engine,
      lead,
      Prisma.sql`${new Date(ASKED.getTime() + seconds * 1_000)}::timestamptz`,
    );
  const reminders = async (runId: string) =>
    (await bed.events(runId)).filter(({ type }) => type === 'decision_due');

  it('come once at their time, also if several processes look for them', async () => {
    const { id, runId, deadline } = await asked(7 * DAY);
    expect(await after(6 * DAY - 1)).toBe(0);
    expect(await reminders(runId)).toEqual([]);
    const counts = await Promise.all(Array.from({ length: 5 }, () => after(6 * DAY)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await after(7 * DAY - 1)).toBe(0);
    expect((await reminders(runId)).map(({ data }) => data)).toEqual([
      expect.objectContaining({
        decision_id: id,
        decision_type: 'question',
        deadline: deadline.toISOString(),
      }),
    ]);
    const { remindedAt } = await bed.db.task.findUniqueOrThrow({ where: { id } });
    expect(remindedAt).toEqual(new Date(ASKED.getTime() + 6 * DAY * 1_000));
    await cancelRun(bed.engine, runId);
  });

  it('come at half of a shorter time', async () => {
    const { runId } = await asked(2 * HOUR);
    expect(await after(HOUR - 1)).toBe(0);
    expect(await after(HOUR)).toBe(1);
    await cancelRun(bed.engine, runId);
  });

  it('come late after an outage, but not after the deadline', async () => {
    const [late, over] = [await asked(2 * DAY), await asked(DAY)];
    expect(await after(2 * DAY - 1)).toBe(1);
    expect(await reminders(late.runId)).toHaveLength(1);
    expect(await reminders(over.runId)).toEqual([]);
    for (const { runId } of [late, over]) await cancelRun(bed.engine, runId);
  });

  it('do not come for answered and cancelled decisions, for suspended tenants, or if they are switched off', async () => {
    const other = await bed.tenant();
    const [answered, cancelled, suspended, open] = [
      await asked(DAY),
      await asked(DAY),
      await asked(DAY, other),
      await asked(DAY),
    ];
    await answerDecision(bed.engine, answered, { body: { text: 'yes' }, uploads: new Map() }, 'key_1');
    await cancelRun(bed.engine, cancelled.runId);
    await bed.db.tenant.update({ where: { id: other }, data: { suspendedAt: new Date() } });
    expect(await after(DAY - 1, 0)).toBe(0);
    expect(await after(DAY - 1)).toBe(1);
    expect(await reminders(open.runId)).toHaveLength(1);
    await bed.db.tenant.update({ where: { id: other }, data: { suspendedAt: null } });
    expect(await after(DAY - 1)).toBe(1);
    for (const { runId } of [suspended, open]) await cancelRun(bed.engine, runId);
  });

  it('are part of each round of the reconciler, by the clock of the database', async () => {
    const { id, runId } = await asked(DAY);
    const [createdAt, deadline] = [new Date(0), new Date(Date.now() + HOUR * 1_000)];
    await bed.db.task.update({ where: { id }, data: { createdAt, deadline } });
    expect((await reconcile(bed.engine, HOUR / 2)).reminders).toBe(0);
    expect((await reconcile(bed.engine)).reminders).toBe(1);
    expect((await reconcile(bed.engine)).reminders).toBe(0);
    await cancelRun(bed.engine, runId);
  });
});
