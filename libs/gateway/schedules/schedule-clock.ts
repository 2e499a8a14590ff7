import { scheduledStartSchema, type CollectionSync } from '#catalogue/schedule-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { derivedId } from '#contracts/ids.js';
import { phrase } from '#contracts/phrases/phrase.js';
import {
  ScheduleRepository,
  type ClaimedFiring,
  type DueSchedule,
  type Outcome,
  type PlannedTimes,
} from '#db/repositories/schedules.js';
import { asService, asServiceApart, asTenant } from '#db/tenant-scope.js';
import { LOGGER } from '#kit/runtime/infrastructure.module.js';
import type { Logger } from '#telemetry/logger.js';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { problemOf } from '../http/problem.filter.js';
import { CollectionSyncs, SavedPlans, type SyncProgress } from '../runs/feature-ports.js';
import { RunsService } from '../runs/runs.service.js';
import { EventValues } from './event-values.js';
import { bucketOf, TriggerBuckets } from './trigger-buckets.js';
import { dueTimes, type Missed } from './times.js';

const ROUND_MS = 1_000;
const SWEEP_MS = 60 * 60_000;
/** What a run does about an active one of its session, by the schedule's overlap. */
const CONFLICTS = { skip: 'reject', queue: 'enqueue', cancel_previous: 'interrupt' } as const;
type Overlap = keyof typeof CONFLICTS;
/** Problems of a session with an active run. */
const ACTIVE = ['run_active', 'file_in_use'];
/** Problems of a bucket that end: its event waits. */
const PASSING = ['bucket_refused', 'fetching_off'];
/** Runs of a schedule that may wait; later ones are skipped. */
const MAX_QUEUED = 100;
/** Runs that a gateway starts at once. */
const AT_ONCE = 10;

/**
 * Starts the runs of schedules; every gateway runs one. A planned time that has come becomes a row first, and the ID of
 * its run is derived from the row, so that a gateway that dies in between, or a second one, loses no run and starts
 * none twice.
 */
@Injectable()
export class ScheduleClock implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();
  private sweptAt = 0;
  private running = 0;
  /** Runs that are being started, and the looks for others after them. */
  private readonly starting = new Set<Promise<void>>();

  constructor(
    @Inject(LOGGER) private readonly log: Pick<Logger, 'warn'>,
    private readonly schedules: ScheduleRepository,
    private readonly runs: RunsService,
    private readonly plans: SavedPlans,
    private readonly syncs: CollectionSyncs,
    private readonly events: EventValues,
    private readonly buckets: TriggerBuckets,
  ) {}

  onApplicationBootstrap(): void {
    this.wake();
  }

  /** Waits for the round in progress, before the connections are closed. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.round;
    await this.idle();
  }

  /** Begins a round now, or after the one in progress. */
  wake(): void {
    clearTimeout(this.timer);
    this.round = this.round
      .then(() => asServiceApart(() => this.doRound()))
      .catch(this.warn)
      .finally(() => {
        clearTimeout(this.timer);
        if (!this.stopping.signal.aborted) this.timer = setTimeout(() => this.wake(), ROUND_MS);
      });
  }

  /** Plans and starts all that is due. */
  async doRound(): Promise<void> {
    if (Date.now() - this.sweptAt >= SWEEP_MS) {
      await this.schedules.sweep();
      this.sweptAt = Date.now();
    }
    if (this.stopping.signal.aborted || !(await this.schedules.hasWork())) return;
    while ((await this.schedules.plan((schedule) => this.planned(schedule))) > 0);
    await this.fireDue();
  }

  /** Of the planned times of a sync or a bucket, at most one waits: it is not read again for each. Looks leave no trace. */
  private planned({ now, isWaiting, ...schedule }: DueSchedule): PlannedTimes | null {
    try {
      const missed = schedule.missed as Missed;
      const { due, next } = dueTimes(schedule, { first: schedule.nextAt!, now, missed });
      const isLook = bucketOf(schedule) !== undefined;
      if (!isLook && !('sync' in (schedule.start as object))) return { due, skipped: [], next };
      const waiting = isWaiting ? [] : due.slice(-1);
      return { due: waiting, skipped: isLook ? [] : due.slice(0, due.length - waiting.length), next };
    } catch (error) {
      this.log.warn({ err: error, schedule_id: schedule.id }, 'a schedule cannot be read and is paused');
      return null;
    }
  }

  /** Waits until no run is being started. */
  async idle(): Promise<void> {
    while (this.starting.size > 0) await Promise.all(this.starting);
  }

  /** Starts runs that are due, and more when one is started. A slow one does not delay those of other tenants. */
  private async fireDue(): Promise<void> {
    const free = AT_ONCE - this.running;
    if (this.stopping.signal.aborted || free === 0) return;
    for (const firing of await this.schedules.claimFirings(free)) {
      this.running += 1;
      const work = asService(() => this.fire(firing))
        .finally(() => (this.running -= 1))
        .then(() => this.fireDue())
        .catch(this.warn)
        .finally(() => this.starting.delete(work));
      this.starting.add(work);
    }
  }

  private readonly warn = (error: unknown) => this.log.warn({ err: error }, 'schedules: will retry');

  private async fire(firing: ClaimedFiring): Promise<void> {
    try {
      if (firing.key === '' && !firing.isManual && bucketOf(firing)) return await this.look(firing);
      await this.schedules.settle(firing, await this.start(firing));
    } catch (error) {
      // The claim lapses, and the firing is tried again.
      this.log.warn({ err: error, schedule_id: firing.scheduleId }, 'a scheduled run was not started');
    }
  }

  /** Looks for new objects of a bucket; each becomes a firing. */
  private async look(firing: ClaimedFiring): Promise<void> {
    try {
      await this.schedules.settleLook(firing, await this.buckets.list({ ...firing, id: firing.scheduleId }));
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) throw error;
      await this.schedules.failLook(firing, { status: 'failed', problem: storedProblem(problem) });
    }
  }

  /** An event waits for the end of another run, and for its bucket. */
  private async start(firing: ClaimedFiring): Promise<Outcome> {
    const { scheduleId, plannedAt, key, tenantId, start, overlap } = firing;
    const seed = `${scheduleId}/${key || plannedAt.toISOString()}`;
    const id = derivedId('run', seed);
    try {
      const { data: given } = scheduledStartSchema.safeParse(start);
      if (!given) throw new ProblemError('invalid_request', phrase('invalid_request.body'));
      if (overlap === 'queue' && (await this.schedules.countQueued(scheduleId)) >= MAX_QUEUED)
        throw new ProblemError('run_active', phrase('run_active.wait'));
      if ('sync' in given) return await this.sync(firing, given.sync, seed);
      await asTenant(tenantId, async () => {
        if ('run' in given) {
          await this.events.store(firing, given.run.session_id);
          return this.runs.start(tenantId, { ...given.run, on_conflict: CONFLICTS[overlap as Overlap] }, id);
        }
        const {
          saved_plan_id: planId,
          event_parameters: _,
          ...request
        } = await this.events.fill(firing, given.saved_plan, id);
        return this.plans.start(tenantId, planId, request, id);
      });
      return { status: 'started', startedRunId: id };
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) throw error;
      const isActive = ACTIVE.includes(problem.code);
      if (key !== '' && ((isActive && overlap !== 'skip') || PASSING.includes(problem.code)))
        return { status: 'due' };
      return {
        status: isActive ? 'skipped' : 'failed',
        problem: storedProblem(problem),
      };
    }
  }

  /** Does the next part of a sync; other firings that are due take turns with the rest. */
  private async sync(
    { tenantId, event, result }: ClaimedFiring,
    sync: CollectionSync,
    seed: string,
  ): Promise<Outcome> {
    const { urls = sync.urls } = { ...(event as Partial<CollectionSync> | null) };
    const progress = await asTenant(tenantId, () =>
      this.syncs.next(tenantId, { ...sync, urls }, seed, result as SyncProgress | null, this.stopping.signal),
    );
    return { status: progress.isDone ? 'done' : 'due', result: progress };
  }
}

const storedProblem = ({ code, detail, phrase }: ProblemError) => ({
  code,
  message: detail,
  ...(phrase && { phrase }),
});
