import type { GatewaySettings } from '#config/settings.js';
import type {
  CollectionSync,
  EventSource,
  StoredEventSource,
  newScheduleSchema,
  newSyncSchema,
  scheduleChangesSchema,
} from '#catalogue/schedule-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { derivedId, newId } from '#contracts/ids.js';
import { englishText, phrase } from '#contracts/phrases/phrase.js';
import type { BeforeCommit } from '#db/client.js';
import {
  MAX_SCHEDULES,
  ScheduleRepository,
  type Schedule,
  type ScheduleFiring,
} from '#db/repositories/schedules.js';
import { asTenant } from '#db/tenant-scope.js';
import { SecretSeal } from '#egress/secret-seal.js';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { CollectionSyncs, SavedPlans } from '../runs/feature-ports.js';
import { RunsService } from '../runs/runs.service.js';
import { SessionAccess } from '../tenants/session-access.js';
import { isSigned, newSigningSecret, type DeliveryHeaders } from '../webhooks/sender.js';
import { ScheduleClock } from './schedule-clock.js';
import { bucketOf, TriggerBuckets } from './trigger-buckets.js';
import { nextTimes, type Timing } from './times.js';

/** Number of planned times that clients see. */
const SHOWN_TIMES = 10;
const SHOWN_FIRINGS = 50;
/** Interval at which a bucket is looked at, unless the request says another. */
const LOOK_SECONDS = 60;

type TimingRequest = Pick<
  z.infer<typeof newScheduleSchema>,
  'cron' | 'every_seconds' | 'time_zone' | 'until'
>;

/** A schedule with the secret of its webhook, which is shown only once. */
export interface CreatedSchedule {
  row: Schedule;
  secret: string | null;
}

/** Schedules of a tenant, and triggers, which are schedules that events start. */
@Injectable()
export class SchedulesService {
  private readonly seal: SecretSeal;

  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly runs: RunsService,
    private readonly plans: SavedPlans,
    private readonly syncs: CollectionSyncs,
    private readonly clock: ScheduleClock,
    private readonly access: SessionAccess,
    private readonly buckets: TriggerBuckets,
    @Inject(SETTINGS) settings: Pick<GatewaySettings, 'TOKEN_SECRET'>,
  ) {
    this.seal = new SecretSeal(settings.TOKEN_SECRET, 'trigger');
  }

  /** @throws ProblemError `invalid_request`, `not_found` for what it starts, `too_many_schedules`, `fetching_off`, `bucket_refused` */
  async create(
    tenantId: string,
    request: z.infer<typeof newScheduleSchema>,
    beforeCommit: BeforeCommit<CreatedSchedule>,
  ): Promise<CreatedSchedule> {
    const { name, start: run, saved_plan: plan, sync, on, missed } = request;
    const { source, given } = storedSource(on);
    const timing = timingOf(source?.s3_prefix ? { every_seconds: LOOK_SECONDS, ...request } : request);
    const isTimed = !source || source.s3_prefix !== undefined;
    const [nextAt] = isTimed ? plannedTimes(timing, await this.schedules.now()) : [];
    if (isTimed && !nextAt) throw invalidTiming('cron', phrase('invalid_request.no_planned_time'));
    const from = on?.new_file?.collection_id;
    const refuseCircle = (triggers: readonly Schedule[]) => {
      if (sync && from !== undefined && isCircle(triggers, sync.collection_id, from)) throw circleOfSyncs();
    };
    refuseCircle([]);
    if (on) await this.requirePlace(tenantId, on);
    if (run) await this.runs.sessionOf(tenantId, run);
    if (plan) await this.plans.read(tenantId, plan.saved_plan_id);
    if (sync) await this.syncs.require(tenantId, sync.collection_id);
    const start = (run ? { run } : plan ? { saved_plan: plan } : { sync }) as object;
    const id = newId('sch');
    const secret = on?.webhook ? newSigningSecret() : null;
    const kept = secret ?? given;
    const sealed = kept === undefined ? undefined : { secret: this.seal.seal(kept, id) };
    const overlap = request.overlap ?? (on ? 'queue' : 'skip');
    const row = { id, name, start, ...timing, overlap, missed, nextAt, ...(source && { source }), ...sealed };
    const known = source?.s3_prefix ? await this.buckets.list({ source, secret: null, ...sealed, id }) : [];
    const created = (made: Schedule) => ({ row: made, secret });
    return created(
      within(
        await this.schedules.create(
          tenantId,
          row,
          (tx, made) => beforeCommit(tx, created(made)),
          known,
          refuseCircle,
        ),
      ),
    );
  }

  /** @throws ProblemError `not_found` for the session or collection of the events */
  private async requirePlace(tenantId: string, { new_file: place }: EventSource): Promise<void> {
    if (place?.session_id !== undefined) await this.access.require(tenantId, place.session_id);
    if (place?.collection_id !== undefined) await this.syncs.find(tenantId, place.collection_id);
  }

  /**
   * Replaces the secret of a webhook; requests that are signed with the old one are refused.
   *
   * @throws ProblemError `not_found`, also for a trigger without a webhook
   */
  async rotateSecret(tenantId: string, id: string): Promise<CreatedSchedule> {
    webhookOf(await this.require(tenantId, id));
    const secret = newSigningSecret();
    const row = found(await this.schedules.change(tenantId, id, { secret: this.seal.seal(secret, id) }));
    return { row, secret };
  }

  /**
   * Accepts a signed event of a webhook. A repeated one is the same firing.
   *
   * @param text body as it was signed
   * @param onWrong counts a wrong signature
   * @throws ProblemError `not_found`, `unauthorized`, `schedule_paused`, `too_many_requests`
   */
  async deliver(
    id: string,
    headers: DeliveryHeaders,
    text: string,
    onWrong: () => Promise<void>,
  ): Promise<ScheduleFiring> {
    const schedule = webhookOf(await this.schedules.findAnywhere(id));
    const secret = this.seal.openIfReadable(schedule.secret!, schedule.id);
    if (secret === null || !isSigned(secret, headers, text, await this.schedules.now())) {
      await onWrong();
      throw new ProblemError('unauthorized', phrase('unauthorized.signature'));
    }
    return asTenant(schedule.tenantId, async () => {
      if (schedule.pausedAt) throw new ProblemError('schedule_paused', phrase('schedule_paused.resume'));
      await this.requireRoom(id);
      const key = headers['webhook-id']!;
      const firing = await this.schedules.addEvent(schedule, key, { id: key, body: text });
      this.clock.wake();
      return firing;
    });
  }

  /** @throws ProblemError `too_many_requests` */
  private async requireRoom(id: string): Promise<void> {
    if (await this.schedules.isFull(id))
      throw new ProblemError('too_many_requests', phrase('too_many_requests.trigger'));
  }

  /**
   * Starts a sync of a collection soon, under the schedule that lists those that were asked for.
   *
   * @throws ProblemError `not_found`, `fetching_off`, `too_many_schedules`, `too_many_requests`
   */
  async sync(
    tenantId: string,
    collectionId: string,
    asked: z.infer<typeof newSyncSchema>,
    beforeCommit: BeforeCommit<ScheduleFiring>,
  ): Promise<ScheduleFiring> {
    const name = await this.syncs.require(tenantId, collectionId);
    const id = derivedId('sch', `sync/${tenantId}/${collectionId}`);
    const start = { sync: { collection_id: collectionId } };
    const onRequest = { timeZone: 'UTC', overlap: 'skip', missed: 'none' };
    within(await this.schedules.create(tenantId, { id, name, start, ...onRequest }));
    return this.fire(tenantId, id, beforeCommit, asked);
  }

  /** @throws ProblemError `invalid_request` */
  async preview(request: TimingRequest): Promise<Date[]> {
    return plannedTimes(timingOf(request), await this.schedules.now());
  }

  list(tenantId: string): Promise<Schedule[]> {
    return this.schedules.list(tenantId);
  }

  /** @throws ProblemError `not_found` */
  async require(tenantId: string, id: string): Promise<Schedule> {
    return found(await this.schedules.find(tenantId, id));
  }

  /** Returns the next planned times, none while the schedule is paused. */
  nextTimes(schedule: Schedule): Date[] {
    const { nextAt } = schedule;
    return nextAt === null ? [] : [nextAt, ...nextTimes(schedule, nextAt, SHOWN_TIMES - 1)];
  }

  lastFirings(tenantId: string, id: string): Promise<ScheduleFiring[]> {
    return this.schedules.lastFirings(tenantId, id, SHOWN_FIRINGS);
  }

  /** @throws ProblemError `not_found`; when a trigger is resumed, `fetching_off`, `bucket_refused` */
  async change(
    tenantId: string,
    id: string,
    { name, is_paused: isPaused }: z.infer<typeof scheduleChangesSchema>,
  ): Promise<Schedule> {
    const schedule = await this.require(tenantId, id);
    const now = await this.schedules.now();
    const isChanged = isPaused !== undefined && isPaused !== (schedule.pausedAt !== null);
    const timing = isPaused
      ? { pausedAt: now, nextAt: null }
      : { pausedAt: null, nextAt: plannedTimes(schedule, now)[0] ?? null };
    const changes = { ...(name !== undefined && { name }), ...(isChanged && timing) };
    if (isPaused) await this.schedules.dropDue(tenantId, id);
    // What came during the pause starts nothing.
    else if (isChanged && bucketOf(schedule))
      await this.schedules.addKnown(schedule, await this.buckets.list(schedule));
    return found(await this.schedules.change(tenantId, id, changes));
  }

  /** @throws ProblemError `not_found` */
  async remove(tenantId: string, id: string): Promise<void> {
    if (!(await this.schedules.remove(tenantId, id))) found(null);
  }

  /** Starts a run of the schedule soon. @throws ProblemError `not_found`, `too_many_requests` */
  async fire(
    tenantId: string,
    id: string,
    beforeCommit: BeforeCommit<ScheduleFiring>,
    event?: object,
  ): Promise<ScheduleFiring> {
    await this.require(tenantId, id);
    await this.requireRoom(id);
    const firing = await this.schedules.addManual(tenantId, id, beforeCommit, event);
    this.clock.wake();
    return firing;
  }
}

/** Separates the secret that is given from what is stored of the events. */
function storedSource(on: EventSource | undefined): { source?: StoredEventSource; given?: string } {
  if (!on?.s3_prefix) return on ? { source: on as StoredEventSource } : {};
  const { secret_access_key: given, ...place } = on.s3_prefix;
  return { source: { s3_prefix: place }, given };
}

const timingOf = ({ cron, every_seconds: every, time_zone: timeZone, until }: TimingRequest): Timing => ({
  cron: cron ?? null,
  everySeconds: every ?? null,
  timeZone,
  until: until === undefined ? null : new Date(until),
});

/** @throws ProblemError `invalid_request` for an expression or a time zone that cannot be read */
function plannedTimes(timing: Timing, now: Date): Date[] {
  if (!isTimeZone(timing.timeZone)) throw invalidTiming('time_zone', phrase('invalid_request.time_zone'));
  try {
    return nextTimes(timing, now, SHOWN_TIMES);
  } catch {
    throw invalidTiming('cron', phrase('invalid_request.cron'));
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

const invalidTiming = (path: string, why: ReturnType<typeof phrase>) =>
  new ProblemError('invalid_request', why, [{ path, message: englishText(why) }]);

function within(made: Schedule | null): Schedule {
  if (made) return made;
  throw new ProblemError('too_many_schedules', phrase('too_many_schedules.max', { max: MAX_SCHEDULES }));
}

/** Returns whether new sources of the collection `to` would, by triggers, lead to new sources of `from`. */
function isCircle(triggers: readonly Schedule[], to: string, from: string): boolean {
  const reached = new Set([to]);
  for (const collection of reached)
    for (const { start, source } of triggers) {
      const { sync } = start as { sync?: CollectionSync };
      const { collection_id: of } = { ...(source as EventSource | null)?.new_file };
      if (sync && of === collection) reached.add(sync.collection_id);
    }
  return reached.has(from);
}

function circleOfSyncs(): ProblemError {
  const why = phrase('invalid_request.sync_circle');
  return new ProblemError('invalid_request', why, [
    { path: 'sync.collection_id', message: englishText(why) },
  ]);
}

/** @throws ProblemError `not_found` unless requests start the schedule */
const webhookOf = (schedule: Schedule | null): Schedule =>
  found((schedule?.source as EventSource | null)?.webhook ? schedule : null);

function found(schedule: Schedule | null): Schedule {
  if (!schedule) throw new ProblemError('not_found', phrase('not_found.schedule'));
  return schedule;
}
