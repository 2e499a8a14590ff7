import type { QueueName } from '#contracts/queues.js';
import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, FactoryProvider, InjectionToken } from '@nestjs/common';
import { DelayedError, UnrecoverableError, WaitingError, type Job } from 'bullmq';

/** Error that fails a job without retries: it stays among the failed jobs, for the operator. */
export { UnrecoverableError as DeadLetter };

/** The worker stops: the job returns to its queue as if it had not begun. */
export class JobReleasedError extends Error {
  override readonly name = 'JobReleasedError';
}

/** This worker cannot process the job now: the job returns to its queue after a delay. */
export class JobPostponedError extends Error {
  override readonly name = 'JobPostponedError';

  /** @param turns priorities of the queue that the job lets pass */
  constructor(
    readonly delayMs: number,
    readonly turns = 0,
  ) {
    super(`The job is postponed for ${delayMs} ms`);
  }
}

/** Processes the jobs of a queue. */
export interface JobProcessor {
  /** `signal` aborts when BullMQ lost the job's lock (another worker may have it) or the worker stops. */
  process(job: Job, signal: AbortSignal): Promise<void>;
  /** Called when the worker stops, before it waits for its running jobs. */
  onStop?(): void;
}

/** Highest number that BullMQ accepts. */
export const LAST_PRIORITY = 2 ** 21 - 1;
/** Milliseconds that a stopping worker waits for its jobs; processes have 10 s to end. */
const GRACE_MS = 8_000;
/**
 * Timing of retries and stalls: a killed worker is noticed within seconds, a job survives up to 20 kills, and
 * a worker without a connection retries every half second. A new job wakes an idle worker; every minute (on Redis
 * every 10 s) it also looks for jobs.
 */
export const WORKER_TIMING = {
  lockDuration: 10_000,
  stalledInterval: 5_000,
  maxStalledCount: 20,
  runRetryDelay: 500,
  drainDelay: 60,
};

/**
 * BullMQ worker that releases its jobs on shutdown. It accepts no new jobs and waits for the running ones.
 * After the grace period it aborts them with `JobReleasedError` and returns them to the queue immediately.
 */
class JobHost extends WorkerHost implements BeforeApplicationShutdown {
  private readonly controllers = new Map<string, AbortController>();

  constructor(
    private readonly processor: JobProcessor,
    private readonly logError: (error: Error) => void,
    private readonly graceMs: number,
  ) {
    super();
  }

  async process(job: Job, token?: string): Promise<void> {
    const controller = new AbortController();
    this.controllers.set(job.id!, controller);
    try {
      await this.processor.process(job, controller.signal);
    } catch (error) {
      if (error instanceof JobPostponedError) {
        if (error.turns > 0)
          await job.changePriority({ priority: Math.min(job.priority + error.turns, LAST_PRIORITY) });
        await job.moveToDelayed(Date.now() + error.delayMs, token);
        throw new DelayedError();
      }
      if (!(controller.signal.reason instanceof JobReleasedError)) throw error;
      await job.moveToWait(token);
      throw new WaitingError();
    } finally {
      this.controllers.delete(job.id!);
    }
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logError(error);
  }

  @OnWorkerEvent('lockRenewalFailed')
  onLockLost(jobIds: string[]): void {
    for (const id of jobIds) this.controllers.get(id)?.abort(new Error('The lock of the job was lost'));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.processor.onStop?.();
    const handBack = () => {
      for (const controller of this.controllers.values())
        controller.abort(new JobReleasedError('The worker is shutting down'));
    };
    const timer = setTimeout(handBack, this.graceMs);
    await this.worker.close().finally(() => clearTimeout(timer));
  }
}

interface JobWorkerOptions {
  queue: QueueName;
  concurrency: number;
  onError: (error: Error) => void;
  graceMs?: number;
}

/**
 * Returns a provider that processes a queue as soon as its module is initialised. The processor is created
 * before that, so an error in `create` prevents the app from starting.
 *
 * @param inject tokens of the arguments of `create`
 */
export function jobWorker<T extends unknown[]>(
  { queue, concurrency, onError, graceMs = GRACE_MS }: JobWorkerOptions,
  create: (...injected: T) => JobProcessor,
  inject: InjectionToken[] = [],
): FactoryProvider {
  @Processor(queue, { concurrency, ...WORKER_TIMING })
  class QueueProcessor extends JobHost {}
  return {
    provide: QueueProcessor,
    useFactory: (...injected: unknown[]) => new QueueProcessor(create(...(injected as T)), onError, graceMs),
    inject,
  };
}
