import { messageOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { noop, type BeforeCommit, type Database, Prisma } from '../client.js';
import type { Schedule, ScheduleFiring } from '../generated/client.js';
import { lockTenant } from '../lock-tenant.js';

export type { Schedule, ScheduleFiring };

/** Maximum schedules of a tenant. */
export const MAX_SCHEDULES = 200;
/** Time for starting the run of a firing; then another gateway may try, which finds the run if it was started. */
const CLAIM_SECONDS = 60;
/** Time after which an event that waits for the end of a run is tried again, in ms. */
const WAIT_MS = 5_000;
/** Firings of a schedule that may wait. */
const MAX_WAITING = 1_000;
/** Days for which settled firings are kept. */
const KEEP_DAYS = 90;

/** Why a planned time of a sync was passed over. */
const SYNC_WAITS = { code: 'run_active', ...messageOf(phrase('run_active.sync')) };

type NewSchedule = Omit<Prisma.ScheduleUncheckedCreateInput, 'tenantId' | 'createdAt' | 'firings'>;

/** A schedule whose next planned time has come, the time of the database, and whether a firing waits. */
export type DueSchedule = Schedule & { now: Date; isWaiting: boolean };

/** A firing that this process may settle, with what its schedule starts. */
export interface ClaimedFiring {
  scheduleId: string;
  plannedAt: Date;
  /** Identity of the event; empty for a planned time. */
  key: string;
  isManual: boolean;
  tenantId: string;
  name: string;
  start: unknown;
  source: unknown;
  secret: string | null;
  overlap: string;
  event: unknown;
  result: unknown;
}

/** An event of a schedule, by its identity. */
interface StoredEvent {
  key: string;
  event: object;
}
type EventsOf = Pick<Schedule, 'tenantId' | 'id'>;

/** Planned times that have come: those to start, those passed over because a sync waits, and the next one. */
export interface PlannedTimes {
  due: Date[];
  skipped: Date[];
  next: Date | null;
}

/** What came of a planned time; `due` waits, or is a sync that has done a part. */
export type Outcome =
  | { status: 'started'; startedRunId: string }
  | { status: 'due'; result?: object }
  | { status: 'done'; result: object }
  | { status: 'skipped' | 'failed'; problem: { code: string; message: string; phrase?: object | undefined } };

/** Schedules of tenants and their firings. All times are those of the database's clock. */
export class ScheduleRepository {
  constructor(private readonly db: Database) {}

  /**
   * Creates a schedule, or returns the one with this ID; null if the tenant has reached the limit.
   *
   * @param known objects of a bucket that start nothing
   * @param check throws if the other schedules of the tenant do not allow this one; none is added meanwhile
   */
  create(
    tenantId: string,
    schedule: NewSchedule,
    beforeCommit: BeforeCommit<Schedule> = noop,
    known: readonly StoredEvent[] = [],
    check: (others: readonly Schedule[]) => void = () => undefined,
  ): Promise<Schedule | null> {
    return this.db.$transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      const there = await tx.schedule.findFirst({ where: { tenantId, id: schedule.id } });
      if (there) return there;
      const others = await tx.schedule.findMany({ where: { tenantId } });
      if (others.length >= MAX_SCHEDULES) return null;
      check(others);
      const row = await tx.schedule.create({ data: { tenantId, ...schedule } });
      await addEvents(tx, row, known, 'known');
      await beforeCommit(tx, row);
      return row;
    });
  }

  /** Adds objects of a bucket that start nothing. */
  async addKnown(schedule: EventsOf, known: readonly StoredEvent[]): Promise<void> {
    await addEvents(this.db, schedule, known, 'known');
  }

  /**
   * Stores what a look into a bucket found, and deletes the planned time of the look. Of new objects, so many become due
   * that no more than `MAX_WAITING` firings wait; the next look finds the others.
   */
  async settleLook(
    { scheduleId: id, tenantId, plannedAt }: ClaimedFiring,
    found: readonly StoredEvent[],
  ): Promise<void> {
    await this.db.$transaction(async (tx) => {
      const there = await tx.scheduleFiring.findMany({
        where: { scheduleId: id, key: { in: found.map(({ key }) => key) } },
        select: { key: true },
      });
      const known = new Set(there.map(({ key }) => key));
      const events = { scheduleId: id, key: { not: '' } };
      const free = MAX_WAITING - (await tx.scheduleFiring.count({ where: { ...events, status: 'due' } }));
      const added = found.filter(({ key }) => !known.has(key)).slice(0, Math.max(0, free));
      await addEvents(tx, { id, tenantId }, added, 'due');
      await tx.scheduleFiring.deleteMany({ where: { scheduleId: id, plannedAt, key: '', isManual: false } });
    });
  }

  /** Stores why a look into a bucket failed, instead of the reason of the look before. */
  async failLook(firing: ClaimedFiring, outcome: Outcome): Promise<void> {
    const { scheduleId, plannedAt } = firing;
    await this.db.scheduleFiring.deleteMany({
      where: { scheduleId, key: '', isManual: false, status: 'failed', plannedAt: { lt: plannedAt } },
    });
    await this.settle(firing, outcome);
  }

  list(tenantId: string): Promise<Schedule[]> {
    return this.db.schedule.findMany({ where: { tenantId }, orderBy: [{ name: 'asc' }, { id: 'asc' }] });
  }

  find(tenantId: string, id: string): Promise<Schedule | null> {
    return this.db.schedule.findFirst({ where: { id, tenantId } });
  }

  /** Returns the last firings, newest first. */
  lastFirings(tenantId: string, scheduleId: string, limit: number): Promise<ScheduleFiring[]> {
    return this.db.scheduleFiring.findMany({
      where: { tenantId, scheduleId, status: { not: 'known' } },
      orderBy: { plannedAt: 'desc' },
      take: limit,
    });
  }

  /** Changes a schedule; null if the tenant has no such schedule. */
  async change(
    tenantId: string,
    id: string,
    changes: Pick<Prisma.ScheduleUpdateManyMutationInput, 'name' | 'pausedAt' | 'nextAt' | 'secret'>,
  ): Promise<Schedule | null> {
    await this.db.schedule.updateMany({ where: { id, tenantId }, data: changes });
    return this.find(tenantId, id);
  }

  /** Finds a schedule by its ID alone; for requests without a tenant. */
  findAnywhere(id: string): Promise<Schedule | null> {
    return this.db.schedule.findFirst({ where: { id } });
  }

  /** Deletes the planned times that wait; events, and what a person or client asked for, stay. */
  async dropDue(tenantId: string, scheduleId: string): Promise<void> {
    await this.db.scheduleFiring.deleteMany({
      where: { tenantId, scheduleId, status: 'due', isManual: false, key: '' },
    });
  }

  /** Returns how many runs of a schedule wait to be started. */
  async countQueued(scheduleId: string): Promise<number> {
    const [row] = await this.db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM schedule_firings f JOIN runs r ON r.id = f.started_run_id
      WHERE f.schedule_id = ${scheduleId} AND r.status = 'queued'`;
    return row!.count;
  }

  /** Deletes a schedule; false if the tenant has no such schedule. */
  async remove(tenantId: string, id: string): Promise<boolean> {
    return (await this.db.schedule.deleteMany({ where: { id, tenantId } })).count === 1;
  }

  /** Adds a firing for now, as a person or client asked. */
  addManual(
    tenantId: string,
    scheduleId: string,
    beforeCommit: BeforeCommit<ScheduleFiring>,
    event?: object,
  ): Promise<ScheduleFiring> {
    return this.db.$transaction(async (tx) => {
      const plannedAt = await clock(tx);
      const row = await tx.scheduleFiring.create({
        data: { tenantId, scheduleId, plannedAt, isManual: true, ...(event && { event }) },
      });
      await beforeCommit(tx, row);
      return row;
    });
  }

  /** Returns whether firings of a schedule wait in such numbers that no more are accepted. */
  async isFull(scheduleId: string): Promise<boolean> {
    return (await this.db.scheduleFiring.count({ where: { scheduleId, status: 'due' } })) >= MAX_WAITING;
  }

  /**
   * Adds a firing for an event, unless there is one.
   *
   * @param key identity of the event
   * @param event what it says
   */
  async addEvent(
    { tenantId, id: scheduleId }: EventsOf,
    key: string,
    event: object,
  ): Promise<ScheduleFiring> {
    const data = { tenantId, scheduleId, key, event, plannedAt: await this.now() };
    await this.db.scheduleFiring.createMany({ data: [data], skipDuplicates: true });
    return this.db.scheduleFiring.findFirstOrThrow({ where: { tenantId, scheduleId, key } });
  }

  /** Returns the time of the database. */
  now(): Promise<Date> {
    return clock(this.db);
  }

  /** Returns whether a planned time has come, or a firing waits. */
  async hasWork(): Promise<boolean> {
    const [row] = await this.db.$queryRaw<{ work: boolean }[]>`
      SELECT EXISTS (SELECT 1 FROM schedules WHERE next_at <= now())
          OR EXISTS (SELECT 1 FROM schedule_firings WHERE status = 'due') AS work`;
    return row!.work;
  }

  /**
   * Turns planned times that have come into firings, a few schedules at a time, each on one gateway only. The
   * firings and the next planned time are committed together. Schedules of suspended tenants wait.
   *
   * @param plan returns the planned times; null pauses a schedule that cannot be read
   * @returns the number of schedules
   */
  plan(plan: (schedule: DueSchedule) => PlannedTimes | null): Promise<number> {
    return this.db.$transaction(async (tx) => {
      const claimed = await tx.$queryRaw<Pick<DueSchedule, 'id' | 'now' | 'isWaiting'>[]>`
        /* claim due schedules */ SELECT s.id, now() AS now,
          EXISTS (SELECT 1 FROM schedule_firings f WHERE f.schedule_id = s.id AND f.status = 'due') AS "isWaiting"
        FROM schedules s
        WHERE s.next_at <= now()
          AND NOT EXISTS (SELECT 1 FROM tenants t WHERE t.id = s.tenant_id AND t.suspended_at IS NOT NULL)
        ORDER BY s.next_at LIMIT 10 FOR UPDATE OF s SKIP LOCKED`;
      const schedules = await tx.schedule.findMany({ where: { id: { in: claimed.map(({ id }) => id) } } });
      for (const schedule of schedules) {
        const { id: scheduleId, tenantId } = schedule;
        const { now, isWaiting } = claimed.find(({ id }) => id === scheduleId)!;
        const planned = plan({ ...schedule, now, isWaiting });
        if (planned === null) {
          const paused = { pausedAt: now, nextAt: null };
          await tx.schedule.update({ where: { id: scheduleId }, data: paused });
          continue;
        }
        const { due, skipped, next } = planned;
        const row = { scheduleId, tenantId };
        const data = [
          ...due.map((plannedAt) => ({ ...row, plannedAt })),
          ...skipped.map((plannedAt) => ({ ...row, plannedAt, status: 'skipped', problem: SYNC_WAITS })),
        ];
        await tx.scheduleFiring.createMany({ data, skipDuplicates: true });
        await tx.schedule.update({ where: { id: scheduleId }, data: { nextAt: next } });
      }
      return schedules.length;
    });
  }

  /**
   * Claims waiting firings, of each schedule the earliest; those that were never claimed precede syncs that are partly
   * done. Of a paused schedule, only what a person or client asked for. A claim ends when it was not settled in time.
   */
  claimFirings(limit: number): Promise<ClaimedFiring[]> {
    return this.db.$queryRaw<ClaimedFiring[]>`
      /* claim firings */ UPDATE schedule_firings f SET claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
      FROM schedules s
      WHERE s.id = f.schedule_id AND (f.schedule_id, f.planned_at, f.key) IN (
        SELECT d.schedule_id, d.planned_at, d.key FROM schedule_firings d JOIN schedules p ON p.id = d.schedule_id
        WHERE d.status = 'due' AND (d.is_manual OR p.paused_at IS NULL) AND (d.claimed_until IS NULL OR d.claimed_until < now())
          AND NOT EXISTS (SELECT 1 FROM tenants t WHERE t.id = d.tenant_id AND t.suspended_at IS NOT NULL)
          AND NOT EXISTS (
            SELECT 1 FROM schedule_firings e
            WHERE e.schedule_id = d.schedule_id AND e.status = 'due' AND e.planned_at < d.planned_at
              AND (e.is_manual OR p.paused_at IS NULL))
        ORDER BY d.claimed_until NULLS FIRST, d.planned_at LIMIT ${limit} FOR UPDATE OF d SKIP LOCKED)
      RETURNING f.schedule_id AS "scheduleId", f.planned_at AS "plannedAt", f.key, f.is_manual AS "isManual", f.tenant_id AS "tenantId", s.name, s.start,
        s.source, s.secret, s.overlap, f.event, f.result`;
  }

  /** Stores what came of a firing, unless another gateway has, and deletes the body of an event that no longer waits. */
  async settle({ scheduleId, plannedAt, key, event }: ClaimedFiring, outcome: Outcome): Promise<void> {
    const { body, ...kept } = { ...(event as Prisma.InputJsonObject | null) };
    const isWaiting = outcome.status === 'due';
    const waitMs = isWaiting && outcome.result === undefined ? WAIT_MS : 0;
    const claim = isWaiting ? { claimedUntil: new Date((await this.now()).getTime() + waitMs) } : {};
    await this.db.scheduleFiring.updateMany({
      where: { scheduleId, plannedAt, key, status: 'due' },
      data: {
        ...(outcome as Prisma.ScheduleFiringUpdateManyMutationInput),
        ...claim,
        ...(!isWaiting && body !== undefined && { event: kept }),
      },
    });
  }

  /** Deletes firings that were settled long ago, except those that say which objects of a bucket are known. */
  async sweep(): Promise<void> {
    await this.db.$executeRaw`
      /* sweep firings */ DELETE FROM schedule_firings f USING schedules s
      WHERE s.id = f.schedule_id AND f.status <> 'due' AND f.planned_at < now() - make_interval(days => ${KEEP_DAYS})
        AND NOT (f.key <> '' AND coalesce(s.source ? 's3_prefix', false))`;
  }
}

async function addEvents(
  db: Pick<Database, 'scheduleFiring' | '$queryRaw'>,
  { id: scheduleId, tenantId }: EventsOf,
  events: readonly StoredEvent[],
  status: 'known' | 'due',
): Promise<void> {
  if (events.length === 0) return;
  const plannedAt = await clock(db);
  const data = events.map(({ key, event }) => ({ scheduleId, tenantId, plannedAt, key, event, status }));
  await db.scheduleFiring.createMany({ data, skipDuplicates: true });
}

async function clock(db: Pick<Database, '$queryRaw'>): Promise<Date> {
  const [row] = await db.$queryRaw<
    { now: Date }[]
  >`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`;
  return row!.now;
}
