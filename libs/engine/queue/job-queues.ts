import { queueNames, type QueueName } from '#contracts/queues.js';
import { waitFor } from '#contracts/wait.js';
import type { FlowJob, FlowProducer, Job, JobsOptions, Queue } from 'bullmq';
import type { QueueBackend } from './backend.js';

export type { Job };
export type JobState = Awaited<ReturnType<Job['getState']>>;

/** A job to add; its ID makes adding it twice harmless. */
export interface JobSpec {
  queue: QueueName;
  name: string;
  data: object;
  jobId: string;
  options?: JobsOptions;
}

/** A parent job that becomes ready when all its children have ended, successfully or not. */
export interface JobFlow {
  parent: JobSpec;
  children: JobSpec[];
}

/** Milliseconds within which the queue must answer. */
const LIMIT_MS = 3_000;

/** The queue is unreachable or does not answer; the reconciler adds the missing jobs later. */
export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';
  readonly code = 'queue_unavailable';
}

/**
 * Queue operations for BullMQ on either backend. The queue only delivers jobs; results never pass through it.
 */
export class JobQueues {
  private readonly queues: ReadonlyMap<QueueName, Queue>;

  /**
   * @param queues one for each of `queueNames`, in that order
   * @param limitMs milliseconds within which the queue must answer
   */
  constructor(
    private readonly connected: QueueBackend,
    private readonly flows: FlowProducer,
    queues: Queue[],
    readonly limitMs = LIMIT_MS,
  ) {
    this.queues = new Map(queueNames.map((name, index) => [name, queues[index]!]));
    flows.on('error', connected.onError);
    for (const queue of queues) queue.on('error', connected.onError);
  }

  get backend(): 'postgres' | 'redis' {
    return this.connected.name;
  }

  /**
   * Runs a queue command with a time limit, because BullMQ waits indefinitely for an unreachable Redis. A
   * late command may still take effect.
   *
   * @throws QueueUnavailableError
   */
  async ask<T>(work: () => Promise<T>): Promise<T> {
    if (this.connected.isAway()) throw new QueueUnavailableError('The queue is unreachable.');
    const onLate = () => new QueueUnavailableError(`The queue did not respond within ${this.limitMs} ms.`);
    return waitFor(work(), undefined, this.limitMs, onLate);
  }

  /** Adds a job; no-op if its ID exists. */
  async add(job: JobSpec): Promise<void> {
    await this.ask(() => this.queue(job.queue).add(job.name, job.data, jobOptions(job)));
  }

  /** Adds a parent and its children. */
  async addFlow(flow: JobFlow): Promise<void> {
    await this.ask(() => this.flows.add(flowOf(flow)));
  }

  /**
   * Adds many flows in one round trip. The PostgreSQL backend adds all or none without reporting which: check
   * again later.
   */
  async addFlows(flows: JobFlow[]): Promise<void> {
    await this.ask(() => this.flows.addBulk(flows.map(flowOf)));
  }

  /** Returns the state of a job, or `unknown` if the queue does not have it. */
  state(queue: QueueName, jobId: string): Promise<JobState | 'unknown'> {
    return this.ask(() => this.queue(queue).getJobState(jobId));
  }

  /** Makes a delayed job ready now; false if it is missing or not delayed. */
  promote(queue: QueueName, jobId: string): Promise<boolean> {
    return this.ask(async () => {
      const job = await this.queue(queue).getJob(jobId);
      if (!job || !(await job.isDelayed())) return false;
      try {
        await job.promote();
        return true;
      } catch {
        return false; // promoted concurrently: the job is ready, as requested
      }
    });
  }

  /**
   * Removes a job unless it is being processed or does not exist.
   *
   * @param withFlow removes its flow: the parent does not begin then. A flow with a job that is being processed, or
   *   that failed and stays for the operator, is kept
   */
  remove(queue: QueueName, jobId: string, withFlow = false): Promise<void> {
    return this.ask(async () => {
      const job = await this.queue(queue).getJob(jobId);
      if (withFlow && job?.parent?.id !== undefined && (await this.removeFlow(job.parent.id))) return;
      // A job that is being processed is locked, and ends by itself.
      await job?.remove({ removeChildren: false }).catch(() => undefined);
    });
  }

  /** Removes an `advance` with its children. @returns false if it is kept */
  private async removeFlow(parentId: string): Promise<boolean> {
    const parents = this.queue('agent-runner');
    const parent = await parents.getJob(parentId);
    if (!parent) return false;
    const { failed = 0 } = await parent.getDependenciesCount({ failed: true });
    // On PostgreSQL the number of removed jobs.
    return failed === 0 && (await parents.remove(parentId)) > 0;
  }

  /** The BullMQ queues, for bull-board and metrics. */
  all(): Queue[] {
    return [...this.queues.values()];
  }

  /** Throws if the backend is unreachable. */
  check(): Promise<void> {
    return this.ask(() => this.connected.check());
  }

  private queue(name: QueueName): Queue {
    return this.queues.get(name)!;
  }
}

/**
 * Returns the options of a job: completed jobs are removed immediately, failed ones stay visible in
 * bull-board.
 */
function jobOptions(job: JobSpec): JobsOptions {
  return { removeOnComplete: true, ...job.options, jobId: job.jobId };
}

function flowOf({ parent, children }: JobFlow): FlowJob {
  const node = (job: JobSpec, extra: JobsOptions = {}): FlowJob => ({
    name: job.name,
    queueName: job.queue,
    data: job.data,
    opts: { ...jobOptions(job), ...extra },
  });
  return {
    ...node(parent),
    // A failed or removed child never strands its parent: the parent reads the results from PostgreSQL.
    children: children.map((child) => node(child, { ignoreDependencyOnFailure: true })),
  };
}
