import { scheduledStartSchema } from '#contracts/api/schedule-schemas.js';
import type { ProblemError } from '#contracts/errors.js';
import { derivedId } from '#contracts/ids.js';
import { ScheduleRepository, type ClaimedFiring, type Outcome } from '#db/repositories/schedules.js';
import { asService, asTenant } from '#db/tenant-scope.js';
import { LOGGER } from '#kit/runtime/infrastructure.module.js';
import type { Logger } from '#telemetry/logger.js';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { problemOf } from '../http/problem.filter.js';
import { SavedPlans } from '../runs/feature-ports.js';
import { RunsService } from '../runs/runs.service.js';
import { dueTimes, type Missed } from './times.js';

const ROUND_MS = 1_000;
const SWEEP_MS = 60 * 60_000;
/** What a run does about an active one of its session, by the schedule's overlap. */
const CONFLICTS = { skip: 'reject', queue: 'enqueue', cancel_previous: 'interrupt' } as const;
type Overlap = keyof typeof CONFLICTS;
/** Firings that a gateway claims at once. */
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
  private isStopped = false;
  private sweptAt = 0;

  constructor(
    @Inject(LOGGER) private readonly log: Pick<Logger, 'warn'>,
    private readonly schedules: ScheduleRepository,
    private readonly runs: RunsService,
    private readonly plans: SavedPlans,
  ) {}

  onApplicationBootstrap(): void {
    this.wake();
  }

  /** Waits for the round in progress, before the connections are closed. */
  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  /** Begins a round now, or after the one in progress. */
  wake(): void {
    clearTimeout(this.timer);
    this.round = this.round
      .then(() => asService(() => this.doRound()))
      .catch((error: unknown) => this.log.warn({ err: error }, 'schedules: will retry'))
      .finally(() => {
        clearTimeout(this.timer);
        if (!this.isStopped) this.timer = setTimeout(() => this.wake(), ROUND_MS);
      });
  }

  /** Plans and starts all that is due. */
  async doRound(): Promise<void> {
    if (Date.now() - this.sweptAt >= SWEEP_MS) {
      await this.schedules.sweep();
      this.sweptAt = Date.now();
    }
    if (this.isStopped || !(await this.schedules.hasWork())) return;
    while (
      (await this.schedules.plan(({ now, ...schedule }) =>
        dueTimes(schedule, { first: schedule.nextAt!, now, missed: schedule.missed as Missed }),
      )) > 0
    );
    for (;;) {
      const firings = this.isStopped ? [] : await this.schedules.claimFirings(AT_ONCE);
      if (firings.length === 0) return;
      await Promise.all(firings.map((firing) => this.fire(firing)));
    }
  }

  private async fire(firing: ClaimedFiring): Promise<void> {
    try {
      await this.schedules.settle(firing, await this.start(firing));
    } catch (error) {
      // The claim lapses, and the firing is tried again.
      this.log.warn({ err: error, schedule_id: firing.scheduleId }, 'a scheduled run was not started');
    }
  }

  private async start({ scheduleId, plannedAt, tenantId, start, overlap }: ClaimedFiring): Promise<Outcome> {
    const id = derivedId('run', `${scheduleId}/${plannedAt.toISOString()}`);
    try {
      const given = scheduledStartSchema.parse(start);
      await asTenant(tenantId, () => {
        if ('run' in given)
          return this.runs.start(tenantId, { ...given.run, on_conflict: CONFLICTS[overlap as Overlap] }, id);
        const { saved_plan_id: planId, ...request } = given.saved_plan;
        return this.plans.start(tenantId, planId, request, id);
      });
      return { status: 'started', startedRunId: id };
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) throw error;
      return {
        status: problem.code === 'run_active' ? 'skipped' : 'failed',
        problem: storedProblem(problem),
      };
    }
  }
}

const storedProblem = ({ code, detail, phrase }: ProblemError) => ({
  code,
  message: detail,
  ...(phrase && { phrase }),
});
