import type { NewRunEvent } from '#catalogue/events.js';
import { newId } from '#contracts/ids.js';
import { createDatabase, Prisma, type Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { WebhookRepository } from '#db/repositories/webhooks.js';
import { NotificationListener } from '#engine/events/listener.js';
import { announce, EVENTS_CHANNEL, eventsCte } from '#engine/runs/event-log.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { RunLog } from '#testing/run-log.js';
import { WebhookReceiver } from '#testing/webhook-receiver.js';
import { collectRuns, scan } from './dispatcher.js';
import { claimDeliveries, settleDelivered, type RetryPolicy } from './deliveries.js';
import { DestinationGuard } from '#egress/destination.js';
import { WebhookDispatcher } from './dispatcher.js';
import { SecretSeal } from '#egress/secret-seal.js';
import { WebhookSender, newSigningSecret } from './sender.js';

/** How the engine stores that a run is parked, and at which task. */
const PARKED_AT: Record<string, [status: string, task: string]> = {
  needs_answer: ['waiting', 'human_input'],
  'parked at a worker': ['waiting', 'convert'],
};

/** Three attempts without a pause. */
const QUICK: RetryPolicy = { delaySeconds: [0, 0], timeoutSeconds: 10 };

describe('the webhook dispatcher', () => {
  let database: TestDatabase;
  let db: Database;
  let listener: NotificationListener;
  let receiver: WebhookReceiver;
  let dispatchers: WebhookDispatcher[];
  const warnings: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 8);
    listener = new NotificationListener(database.url, [EVENTS_CHANNEL]);
    await listener.start();
  });
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    dispatchers = [];
  });
  afterEach(async () => {
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
    await db.webhook.deleteMany();
    await receiver.stop();
  });
  afterAll(async () => {
    await listener.stop();
    await db.$disconnect();
    await database.drop();
  });

  function dispatch(policy = QUICK): WebhookDispatcher {
    const sender = new WebhookSender(new DestinationGuard(true), new SecretSeal(undefined), 10_000);
    const log = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message) };
    const dispatcher = new WebhookDispatcher(db, listener, sender, log as never, policy);
    dispatchers.push(dispatcher);
    dispatcher.start();
    return dispatcher;
  }

  async function tenant(): Promise<string> {
    const id = newId('ten');
    await db.tenant.create({ data: { id, name: 'test' } });
    return id;
  }

  const run = async (tenantId: string) => (await RunLog.create(db, tenantId)).runId;

  const webhook = async (tenantId: string, url = receiver.url) => {
    const secret = new SecretSeal(undefined).seal(newSigningSecret(), '');
    const events = ['running', 'needs_answer', 'completed', 'done'] as const;
    const made = { id: newId('whk'), url, events: [...events], description: null, secret };
    return (await new WebhookRepository(db).create(tenantId, made))!.id;
  };

  /** Appends events as the engine does; `set` changes the run's row with them. */
  async function append(runId: string, statuses: string[], set = Prisma.empty): Promise<void> {
    const events = statuses.map((status): NewRunEvent => {
      const [stored, task] = PARKED_AT[status] ?? [status];
      const waitingFor = task === undefined ? {} : { waiting_for: [{ task }] };
      return { type: 'run_status', data: { status: stored, ...waitingFor, secret: 'withheld words' } };
    });
    await db.$executeRaw(
      Prisma.sql`WITH ${eventsCte(runId, events, Prisma.sql`true`, set)} SELECT 1 FROM run_row`,
    );
    announce(db, runId);
  }

  const deliveries = (webhookId: string) =>
    db.webhookDelivery.findMany({ where: { webhookId }, orderBy: [{ runId: 'asc' }, { seq: 'asc' }] });
  const settled = async (webhookId: string, count = 1) => {
    for (;;) {
      const rows = await deliveries(webhookId);
      if (rows.length >= count && rows.every(({ status }) => status !== 'pending')) return rows;
    }
  };

  it('sends each event once, in order per run, also with two dispatchers', async () => {
    const tenantId = await tenant();
    const runs = await Promise.all(Array.from({ length: 10 }, () => run(tenantId)));
    const id = await webhook(tenantId);
    dispatch();
    dispatch();
    for (let round = 0; round < 5; round++)
      await Promise.all(runs.map((runId) => append(runId, ['running', 'needs_answer'])));
    const received = await receiver.until('100 requests', (all) => all.length >= 100);
    await settled(id, 100);
    expect(received).toHaveLength(100);
    for (const runId of runs) {
      const seqs = received.filter(({ json }) => json.data.run_id === runId).map(({ json }) => json.data.seq);
      expect(seqs).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
    }
    expect(received.map(({ body }) => body).join()).not.toContain('withheld words');
  });

  it('retries, delays later events of that run, but not of other runs', async () => {
    const tenantId = await tenant();
    const [stuck, free] = [await run(tenantId), await run(tenantId)];
    const id = await webhook(tenantId);
    let failures = 0;
    receiver.answer = ({ json }, response) => {
      const fails = json.data.run_id === stuck && json.data.seq === 1 && ++failures < 3;
      response.writeHead(fails ? 500 : 200).end();
    };
    await append(stuck, ['running', 'needs_answer']);
    await append(free, ['running', 'needs_answer']);
    dispatch();
    const rows = await settled(id, 4);
    expect(rows.map(({ status }) => status)).toEqual(Array(4).fill('delivered'));
    expect(rows.find(({ runId, seq }) => runId === stuck && seq === 1)).toMatchObject({ attempts: 3 });
    const seqs = receiver.received
      .filter(({ json }) => json.data.run_id === stuck)
      .map(({ json }) => json.data.seq);
    expect(seqs).toEqual([1, 1, 1, 2]);
    const ids = receiver.received.filter(({ json }) => json.data.seq === 1 && json.data.run_id === stuck);
    expect(new Set(ids.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('delays deliveries of a suspended tenant until the tenant is reactivated', async () => {
    const [suspended, other] = [await tenant(), await tenant()];
    const tenants = new TenantRepository(db);
    const [heldRun, otherRun] = [await run(suspended), await run(other)];
    const [held, told] = [await webhook(suspended), await webhook(other)];
    await tenants.setSuspended(suspended, true);
    await append(heldRun, ['running', 'needs_answer']);
    await collectRuns(db, [heldRun]);
    dispatch();
    await append(otherRun, ['running']);
    await settled(told);
    expect((await deliveries(held)).map(({ status, attempts }) => [status, attempts])).toEqual(
      Array(2).fill(['pending', 0]),
    );
    expect(receiver.received.map(({ json }) => json.data.run_id)).toEqual([otherRun]);
    await tenants.setSuspended(suspended, false);
    await settled(held, 2);
    const seqs = receiver.received.filter(({ json }) => json.data.run_id === heldRun);
    expect(seqs.map(({ json }) => json.data.seq)).toEqual([1, 2]);
  });

  it('stops after the last attempt and disables a webhook without successful deliveries, with the reason', async () => {
    const tenantId = await tenant();
    const runId = await run(tenantId);
    const id = await webhook(tenantId);
    receiver.answer = (_, response) => void response.writeHead(503).end();
    await append(runId, ['running']);
    dispatch();
    await settled(id);
    expect((await deliveries(id))[0]).toMatchObject({
      status: 'failed',
      attempts: 3,
      statusCode: 503,
      error: 'bad_status',
    });
    const row = await db.webhook.findUniqueOrThrow({ where: { id } });
    expect(row.disabledReason).toBe('All 3 delivery attempts failed; the last one with 503.');
    expect(warnings.at(-1)).toBe('disabled the webhook');
    await append(runId, ['needs_answer']);
    await scan(db);
    await collectRuns(db, [runId]);
    expect(await deliveries(id)).toHaveLength(1);

    receiver.answer = (_, response) => void response.writeHead(204).end();
    // Of another run: its next attempt is hours away.
    const other = await run(tenantId);
    await db.$executeRaw`
      INSERT INTO webhook_deliveries (webhook_id, run_id, seq, tenant_id, session_id, event, run_status, at, attempts, next_at)
      SELECT ${id}, ${other}, 1, tenant_id, session_id, 'queued', 'queued', now(), 2, now() + interval '5 hours' FROM runs WHERE id = ${other}`;
    await new WebhookRepository(db).enable(tenantId, id);
    await receiver.until('the delivery that waited', (all) =>
      all.some(({ json }) => json.data.run_id === other),
    );
    const rows = await settled(id);
    await receiver.until('the second event', (all) => all.at(-1)?.json.data.seq === 2);
    expect(rows[0]).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('fails a single delivery while others succeed', async () => {
    const tenantId = await tenant();
    const [bad, good] = [await run(tenantId), await run(tenantId)];
    const id = await webhook(tenantId);
    receiver.answer = ({ json }, response) =>
      void response.writeHead(json.data.run_id === bad ? 400 : 200).end();
    await append(bad, ['running']);
    await collectRuns(db, [bad]);
    await append(good, ['running']);
    // Delivered after the other one was made: the receiver lives.
    await collectRuns(db, [good]);
    await db.webhook.update({ where: { id }, data: { deliveredAt: new Date(Date.now() + 60_000) } });
    dispatch();
    const statuses = (await settled(id, 2)).map(({ status }) => status);
    expect(statuses.sort()).toEqual(['delivered', 'failed']);
    expect((await db.webhook.findUniqueOrThrow({ where: { id } })).disabledAt).toBeNull();
  });

  it('finds missed events by its scan, of active and of ended runs', async () => {
    const tenantId = await tenant();
    const [active, ended] = [await run(tenantId), await run(tenantId)];
    const id = await webhook(tenantId);
    // Whether a run waits for a worker makes no difference to a client.
    await append(active, ['parked at a worker', 'needs_answer']);
    await append(ended, ['completed'], Prisma.sql`status = 'completed', finished_at = now(),`);
    await db.webhook.update({ where: { id }, data: { scannedAt: new Date(0) } });
    expect(await scan(db)).toBe(true);
    const found = await deliveries(id);
    expect(found.map(({ runId, event, runStatus }) => [runId, event, runStatus]).sort()).toEqual(
      [
        [active, 'needs_answer', 'needs_answer'],
        [ended, 'completed', 'completed'],
      ].sort(),
    );
    await db.webhook.update({ where: { id }, data: { scannedAt: new Date(0) } });
    await scan(db);
    expect(await deliveries(id)).toHaveLength(2);
  });

  it('does not miss a run that a long transaction ends', async () => {
    const tenantId = await tenant();
    const runId = await run(tenantId);
    const id = await webhook(tenantId);
    const scanNow = async () => {
      await db.webhook.update({ where: { id }, data: { scannedAt: new Date(0) } });
      await scan(db);
    };
    const transaction = db.$transaction(async (tx) => {
      const [{ at }] = await tx.$queryRaw<[{ at: Date }]>`SELECT now() AS at`;
      await scanNow();
      expect(
        (await db.webhook.findUniqueOrThrow({ where: { id } })).scannedUntil.getTime(),
      ).toBeLessThanOrEqual(at.getTime());
      const set = Prisma.sql`status = 'completed', finished_at = now(),`;
      const event: NewRunEvent = { type: 'run_status', data: { status: 'completed' } };
      await tx.$executeRaw(
        Prisma.sql`WITH ${eventsCte(runId, [event], Prisma.sql`true`, set)} SELECT 1 FROM run_row`,
      );
    });
    await transaction;
    await scanNow();
    expect(await deliveries(id)).toHaveLength(1);
  });

  it('releases its deliveries when it stops, and another dispatcher sends them', async () => {
    const tenantId = await tenant();
    const runId = await run(tenantId);
    const id = await webhook(tenantId);
    receiver.answer = () => undefined;
    await append(runId, ['running']);
    const first = dispatch();
    await receiver.until('one request', (all) => all.length === 1);
    await first.stop();
    expect((await deliveries(id))[0]).toMatchObject({ status: 'pending', attempts: 0 });
    receiver.answer = (_, response) => void response.writeHead(204).end();
    dispatch();
    await receiver.until('two requests', (all) => all.length === 2);
    expect((await settled(id))[0]).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('a claim that was taken over records nothing', async () => {
    const tenantId = await tenant();
    const runId = await run(tenantId);
    const id = await webhook(tenantId);
    await append(runId, ['running']);
    await collectRuns(db, [runId]);
    const [stale] = await claimDeliveries(db, 10, 0, []);
    expect(await claimDeliveries(db, 10, 60, [id])).toEqual([]);
    const [current] = await claimDeliveries(db, 10, 60, []);
    expect(await claimDeliveries(db, 10, 60, [])).toEqual([]);
    await settleDelivered(db, stale!, 200);
    expect((await deliveries(id))[0]!.status).toBe('pending');
    await settleDelivered(db, current!, 200);
    expect((await deliveries(id))[0]).toMatchObject({ status: 'delivered', attempts: 2 });
  });
});
