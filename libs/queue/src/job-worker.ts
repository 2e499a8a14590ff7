import type { QueueName } from '#contracts/queues.js';
import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, FactoryProvider, InjectionToken } from '@nestjs/common';
import { DelayedError, UnrecoverableError, WaitingError, type Job } from 'bullmq';

/** Ends a job at once: it stays among the failed ones, for the operator. */
export { UnrecoverableError as DeadLetter };

/** The worker stops: the job goes back into its queue as if it had not been begun. */
export class JobReleasedError extends Error {
  override readonly name = 'JobReleasedError';
}

/** This worker cannot do the job now: the job returns to the end of its queue after a delay. */
export class JobPostponedError extends Error {
  override readonly name = 'JobPostponedError';

  constructor(readonly delayMs: number) {
    super(`The job is postponed for ${delayMs} ms`);
  }
}

/** Does the jobs of a queue. */
export interface JobProcessor {
  /** `signal` aborts when BullMQ lost the job's lock (another worker may have it) or the worker stops. */
  process(job: Job, signal: AbortSignal): Promise<void>;
  /** The worker stops: called before it waits for the jobs in hand. */
  onStop?(): void;
}

/** Milliseconds that a stopping worker waits for its jobs; processes have 10 s to end. */
const GRACE_MS = 8_000;
/**
 * Retries and stalls: a kill is noticed within seconds; a job survives as many kills as it takes; a worker whose connection
 * was refused asks again in half a second.
 */
export const WORKER_TIMING = {
  lockDuration: 10_000,
  stalledInterval: 3_000,
  maxStalledCount: 20,
  runRetryDelay: 500,
};

/**
 * A BullMQ worker that gives jobs back. When the app is closed it takes nothing new and waits for the jobs in hand; those that last
 * longer than the grace are aborted with `JobReleasedError` and put back at once for another worker.
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
        controller.abort(new JobReleasedError('The worker stops'));
    };
    const timer = setTimeout(handBack, this.graceMs);
    await this.worker.close().finally(() => clearTimeout(timer));
  }
}

export interface JobWorkerOptions {
  queue: QueueName;
  concurrency: number;
  onError: (error: Error) => void;
  graceMs?: number;
}

/**
 * A provider that works a queue as soon as its module is initialised. What the processor is made of is known by then, so a check
 * that throws while it is made keeps the app from starting.
 *
 * @param inject tokens of what `create` gets
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
