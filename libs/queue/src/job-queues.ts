import { queueNames, type QueueName } from '#contracts/queues.js';
import { waitFor } from '#contracts/wait.js';
import type { FlowJob, FlowProducer, Job, JobsOptions, Queue } from 'bullmq';
import type { QueueBackend } from './backend.js';

export type { Job };
export type JobState = Awaited<ReturnType<Job['getState']>>;

/** A job to be added: its id makes adding it twice harmless. */
export interface JobSpec {
  queue: QueueName;
  name: string;
  data: object;
  jobId: string;
  options?: JobsOptions;
}

/** A parent that becomes ready when the last of its children is done, whatever its end. */
export interface JobFlow {
  parent: JobSpec;
  children: JobSpec[];
}

/** Milliseconds within which the queue has to answer. */
const LIMIT_MS = 3_000;

/** The queue is away or does not answer: what was to be added is added later, by the reconciler. */
export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';
  readonly code = 'queue_unavailable';
}

/**
 * BullMQ on either backend behind one door. Results never travel through it; it only delivers.
 */
export class JobQueues {
  private readonly queues: ReadonlyMap<QueueName, Queue>;

  /**
   * @param queues one for each of `queueNames`, in that order
   * @param limitMs milliseconds within which the queue has to answer
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
   * Runs a queue command with a time limit, because BullMQ waits for an unreachable Redis without limit. A late command may still take effect.
   *
   * @throws QueueUnavailableError
   */
  async ask<T>(work: () => Promise<T>): Promise<T> {
    if (this.connected.isAway()) throw new QueueUnavailableError('The queue cannot be reached.');
    const onLate = () => new QueueUnavailableError(`The queue did not answer within ${this.limitMs} ms.`);
    return waitFor(work(), undefined, this.limitMs, onLate);
  }

  /** Adds a job; one of the same id that is still there is kept. */
  async add(job: JobSpec): Promise<void> {
    await this.ask(() => this.queue(job.queue).add(job.name, job.data, jobOptions(job)));
  }

  /** Adds a parent and its children. */
  async addFlow(flow: JobFlow): Promise<void> {
    await this.ask(() => this.flows.add(flowOf(flow)));
  }

  /** Adds many flows in one round trip. The PostgreSQL backend adds all or none and does not say so: look again later. */
  async addFlows(flows: JobFlow[]): Promise<void> {
    await this.ask(() => this.flows.addBulk(flows.map(flowOf)));
  }

  /** The state of a job, or `unknown` when the queue does not know it. */
  state(queue: QueueName, jobId: string): Promise<JobState | 'unknown'> {
    return this.ask(() => this.queue(queue).getJobState(jobId));
  }

  /** Makes a delayed job ready now; false when there is no such delayed job. */
  promote(queue: QueueName, jobId: string): Promise<boolean> {
    return this.ask(async () => {
      const job = await this.queue(queue).getJob(jobId);
      if (!job || !(await job.isDelayed())) return false;
      try {
        await job.promote();
        return true;
      } catch {
        return false; // promoted by somebody else in between: it is ready, which is what the caller wants
      }
    });
  }

  /** Removes a job that is not being worked on; quietly does nothing otherwise. */
  remove(queue: QueueName, jobId: string): Promise<void> {
    return this.ask(async () => {
      const job = await this.queue(queue).getJob(jobId);
      await job?.remove({ removeChildren: false }).catch(() => undefined);
    });
  }

  /** The BullMQ queues, for bull-board and metrics. */
  all(): Queue[] {
    return [...this.queues.values()];
  }

  /** Throws when the backend cannot be reached. */
  check(): Promise<void> {
    return this.ask(() => this.connected.check());
  }

  private queue(name: QueueName): Queue {
    return this.queues.get(name)!;
  }
}

/** Done jobs go at once; failed ones stay for the admin, who sees them in bull-board. */
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
    // A child that failed for good or was removed never strands its parent: the parent reads Postgres.
    children: children.map((child) => node(child, { ignoreDependencyOnFailure: true })),
  };
}
