import { createDatabase, type Database } from '#db/client.js';
import { asTenant } from '#db/tenant-scope.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { EVENTS_CHANNEL, RunLog } from '#testing/run-log.js';
import { until } from '#testing/until.js';
import { jest } from '@jest/globals';
import { EventFeed } from './event-feed.js';
import { NotificationListener } from './listener.js';
import { LogReader } from './event-feed.js';

const sequence = (length: number, from = 1) => Array.from({ length }, (_, index) => index + from);

describe('the event feed', () => {
  let database: TestDatabase;
  let db: Database;
  let listener: NotificationListener;
  let feed: EventFeed;
  let log: RunLog;
  const stop = new AbortController();

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.url, 4);
    listener = new NotificationListener(database.url, [EVENTS_CHANNEL]);
    await listener.start();
    feed = new EventFeed(db, listener, EVENTS_CHANNEL);
  });
  beforeEach(async () => {
    log = await RunLog.create(db);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    stop.abort();
    await listener.stop();
    await db.$disconnect();
    await database.drop();
  });

  const follow = (after = 0, signal = stop.signal) => feed.follow(log.runId, after, signal);
  /** Counts the statements that read events from now on. */
  function readings(): () => number {
    const sent = jest.spyOn(db, '$statement');
    return () => sent.mock.calls.filter(([{ text }]) => /\/\* (read events|newest event) /.test(text)).length;
  }
  async function all(events: AsyncIterable<{ seq: number }>): Promise<number[]> {
    const seqs: number[] = [];
    for await (const { seq } of events) seqs.push(seq);
    return seqs;
  }

  it('yields every event once to every follower, from any position and while events are appended', async () => {
    await log.append(1_200);
    const early = [all(follow()), all(follow(700)), all(follow(1_199))];
    const writing = (async () => {
      for (let batch = 0; batch < 40; batch++) await log.append(10);
    })();
    const late = all(follow(3));
    await writing;
    const last = all(follow(1_590));
    await log.end();
    const total = 1_601;
    expect(await Promise.all(early)).toEqual([
      sequence(total),
      sequence(total - 700, 701),
      sequence(total - 1_199, 1_200),
    ]);
    expect(await late).toEqual(sequence(total - 3, 4));
    expect(await last).toEqual(sequence(11, 1_591));
  });

  it('reads new rows once for all followers of a run', async () => {
    // Without a notification, which only some of the followers would still get.
    await log.append(1, {}, 'token', true);
    const followers = Array.from({ length: 50 }, () => follow());
    for (const follower of followers) expect((await follower.next()).value?.seq).toBe(1);
    const next = followers.map((follower) => follower.next());
    const reading = jest.spyOn(db, '$statement');
    await log.append(1);
    const events = (await Promise.all(next)).map(({ value }) => value);
    expect(new Set(events).size).toBe(1);
    expect(events[0]).toMatchObject({ seq: 2, run_id: log.runId });
    // Two or three reads, not fifty: the notification, a poll, and a read in progress.
    expect(reading.mock.calls.length).toBeLessThan(5);
    await Promise.all(followers.map((follower) => follower.return(undefined)));
  });

  it('reads the events of several runs of a tenant by one statement, without those of other tenants', async () => {
    const others = await Promise.all(Array.from({ length: 20 }, () => RunLog.create(db, log.tenantId)));
    const stranger = await RunLog.create(db);
    const logs = [log, ...others];
    for (const each of [...logs, stranger]) await each.append(1);
    const reader = new LogReader(db);
    const reading = readings();
    const [own, foreign, theirs] = await Promise.all([
      asTenant(log.tenantId, () => Promise.all(logs.map(({ runId }) => reader.read(runId, 0)))),
      asTenant(log.tenantId, () => reader.read(stranger.runId, 0)),
      asTenant(stranger.tenantId, () => reader.read(stranger.runId, 0)),
    ]);
    expect(own.map((events) => events?.map(({ run_id }) => run_id))).toEqual(
      logs.map(({ runId }) => [runId]),
    );
    expect(foreign).toEqual([]);
    expect(theirs).toMatchObject([{ seq: 1, run_id: stranger.runId }]);
    expect(reading()).toBe(2);
  });

  it('rejects a read of an unknown event without affecting reads of other runs', async () => {
    const other = await RunLog.create(db, log.tenantId);
    await log.append(1);
    await other.append(1, {}, 'of a later release');
    const reader = new LogReader(db);
    const [known, unknown] = await Promise.allSettled([
      reader.read(log.runId, 0),
      reader.read(other.runId, 0),
    ]);
    expect(known).toMatchObject({ status: 'fulfilled', value: [{ seq: 1 }] });
    expect(unknown.status).toBe('rejected');
  });

  it('starts with one statement if the follower is less than a page behind', async () => {
    await log.append(3);
    const reading = readings();
    // A late notification of earlier events would cause another read.
    const undisturbed = new EventFeed(db, listener, 'nothing_is_told_here');
    const follower = undisturbed.follow(log.runId, 1, stop.signal);
    expect((await follower.next()).value?.seq).toBe(2);
    expect(reading()).toBe(1);
    await follower.return(undefined);
  });

  it('lets a slow follower catch up page by page', async () => {
    const slow = follow();
    await log.append(1);
    expect((await slow.next()).value?.seq).toBe(1);
    const quick = all(follow());
    for (let batch = 0; batch < 10; batch++) await log.append(100);
    await log.end();
    expect(await quick).toEqual(sequence(1_002));
    expect(await all(slow)).toEqual(sequence(1_001, 2));
  });

  it('finds events whose notification was lost', async () => {
    const seqs = all(follow());
    await log.append(1);
    await log.append(1, {}, 'done', true);
    expect(await seqs).toEqual([1, 2]);
  });

  it('continues after a read that failed, and reports a failure of the first read', async () => {
    await log.append(1);
    const follower = follow();
    expect((await follower.next()).value?.seq).toBe(1);
    const failing = jest.spyOn(db, '$statement').mockRejectedValueOnce(new Error('the connection is lost'));
    const next = follower.next();
    await until('the failed read', () => failing.mock.calls.length > 0);
    await log.append(1);
    expect((await next).value?.seq).toBe(2);
    await follower.return(undefined);
    failing.mockRejectedValueOnce(new Error('the connection is lost'));
    await expect(
      new EventFeed(db, listener, 'no_channel').follow(log.runId, 0, stop.signal).next(),
    ).rejects.toThrow('the connection is lost');
  });

  it('continues after the end with decisions about proposals, only for followers that ask', async () => {
    await log.append(1);
    await log.end();
    const after = feed.follow(log.runId, 0, stop.signal, true);
    for (const type of ['token', 'done']) expect((await after.next()).value?.type).toBe(type);
    const next = after.next();
    await log.append(1, {}, 'proposals_decided');
    expect((await next).value?.type).toBe('proposals_decided');
    expect(await all(follow(0))).toEqual([1, 2]);
    expect(await all(follow(3))).toEqual([]);
  });

  it('ends when its signal aborts and when the run is deleted', async () => {
    await log.append(1);
    const controller = new AbortController();
    const stopped = all(follow(0, controller.signal));
    const waiting = all(follow(1));
    controller.abort();
    expect((await stopped).length).toBeLessThan(2);
    await log.append(600);
    await log.end();
    expect(await waiting).toHaveLength(601);

    const other = await RunLog.create(db);
    await other.append(1);
    const orphan = feed.follow(other.runId, 0, stop.signal);
    expect((await orphan.next()).value?.seq).toBe(1);
    const behind = feed.follow(other.runId, 0, stop.signal);
    expect((await behind.next()).value?.seq).toBe(1);
    await other.append(300);
    for (let seq = 2; seq <= 301; seq++) expect((await orphan.next()).value?.seq).toBe(seq);
    await db.run.delete({ where: { id: other.runId } });
    expect(await all(behind)).toEqual([]);
    await orphan.return(undefined);
  });
});
