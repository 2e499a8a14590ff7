import { queueNames, type QueueName } from '#contracts/queues.js';
import {
  createPostgresBackend,
  createRedisBackend,
  DelayedError,
  FlowProducer,
  Queue,
  runMigrations,
  UnrecoverableError,
  WaitingError,
  Worker,
  type ConnectionOptions,
  type FlowJob,
  type Job,
  type JobsOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { storeNoEvents } from './no-events.js';

export type { Job };
/** Ends a job at once: it stays among the failed ones, for the operator. */
export { UnrecoverableError as DeadLetter };
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

export interface JobWorker {
  /**
   * Takes nothing new, waits for the jobs in hand and stops. Those that last longer than the grace are aborted with
   * `HandedBackError` and put back at once for another worker.
   */
  close(graceMs?: number): Promise<void>;
}

/** The worker stops: the job goes back into its queue as if it had not been begun. */
export class HandedBackError extends Error {
  override readonly name = 'HandedBackError';
}

/** This worker cannot do the job, another may: it comes back after a while. */
export class NotServedError extends Error {
  override readonly name = 'NotServedError';

  constructor(readonly delayMs: number) {
    super(`No handler here; given back for ${delayMs} ms`);
  }
}

/** `signal` aborts when BullMQ lost the job's lock (another worker may have it) or cancels the job. */
export type JobProcessor = (job: Job, signal: AbortSignal) => Promise<void>;

/**
 * BullMQ on either backend behind one door. Results never travel through it; it only delivers.
 */
export interface JobQueues {
  readonly backend: 'postgres' | 'redis';
  /** Adds a job; one of the same id that is still there is kept. */
  add(job: JobSpec): Promise<void>;
  /** Adds a parent and its children. */
  addFlow(flow: JobFlow): Promise<void>;
  /** Adds many flows in one round trip. The PostgreSQL backend adds all or none and does not say so: look again later. */
  addFlows(flows: JobFlow[]): Promise<void>;
  /** The state of a job, or `unknown` when the queue does not know it. */
  state(queue: QueueName, jobId: string): Promise<JobState | 'unknown'>;
  /** Makes a delayed job ready now; false when there is no such delayed job. */
  promote(queue: QueueName, jobId: string): Promise<boolean>;
  /** Removes a job that is not being worked on; quietly does nothing otherwise. */
  remove(queue: QueueName, jobId: string): Promise<void>;
  /** Starts a worker on a queue. */
  work(queue: QueueName, processor: JobProcessor, options: { concurrency: number }): JobWorker;
  /** The BullMQ queues, for bull-board and metrics. */
  all(): Queue[];
  /** Throws when the backend cannot be reached. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds that a stopping worker waits for its jobs; processes have 10 s to end. */
const GRACE_MS = 8_000;
/**
 * Retries and stalls: a kill is noticed within seconds; a job survives as many kills as it takes; a worker whose connection
 * was refused asks again in half a second.
 */
const WORKER_TIMING = {
  lockDuration: 10_000,
  stalledInterval: 3_000,
  maxStalledCount: 20,
  runRetryDelay: 500,
};

interface Backend {
  name: 'postgres' | 'redis';
  connection: unknown;
  factory: unknown;
  ready(): Promise<void>;
  check(): Promise<void>;
  close(): Promise<void>;
}

/** BullMQ's PostgreSQL backend lives in the schema `bullmq` of the given database. */
function postgresBackend(url: string, maxConnections: number, onError: (error: Error) => void): Backend {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    options: '-c search_path=bullmq',
    keepAlive: true,
  });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return {
    name: 'postgres',
    connection: pool,
    factory: createPostgresBackend,
    async ready() {
      const client = await pool.connect();
      try {
        await runMigrations(client as Parameters<typeof runMigrations>[0]);
        await storeNoEvents(client);
      } finally {
        client.release();
      }
    },
    check: async () => void (await pool.query('SELECT 1')),
    close: () => pool.end(),
  };
}

function redisBackend(url: string, onError: (error: Error) => void): Backend {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  connection.on('error', onError);
  return {
    name: 'redis',
    connection,
    factory: createRedisBackend,
    ready: async () => void (await connection.ping()),
    check: async () => void (await connection.ping()),
    close: async () => connection.disconnect(),
  };
}

/**
 * Connects to the queue backend that the URL names and makes it ready for use (creates its tables when needed).
 *
 * @param url `redis://…`, `rediss://…` or `postgres://…`
 * @param maxConnections for PostgreSQL: connections this process may hold; each worker takes one of them for itself
 */
export async function connectJobQueues(
  url: string,
  options: { maxConnections?: number; onError: (error: Error) => void },
): Promise<JobQueues> {
  const backend = /^rediss?:/.test(url)
    ? redisBackend(url, options.onError)
    : postgresBackend(url, options.maxConnections ?? 5, options.onError);
  await backend.ready();
  return new BullJobQueues(backend, options.onError);
}

class BullJobQueues implements JobQueues {
  readonly backend: 'postgres' | 'redis';
  private readonly queues = new Map<QueueName, Queue>();
  private readonly workers = new Set<Worker>();
  private flowProducer?: FlowProducer;

  constructor(
    private readonly connected: Backend,
    private readonly onError: (error: Error) => void,
  ) {
    this.backend = connected.name;
  }

  /** Both backends share the classes of BullMQ; only connection and factory differ, which its types keep apart. */
  private construct<T>(create: (connection: ConnectionOptions, factory: never) => T): T {
    return create(this.connected.connection as ConnectionOptions, this.connected.factory as never);
  }

  private queue(name: QueueName): Queue {
    let queue = this.queues.get(name);
    if (!queue) {
      queue = this.construct((connection, factory) => new Queue(name, { connection }, factory));
      queue.on('error', this.onError);
      this.queues.set(name, queue);
    }
    return queue;
  }

  private get flows(): FlowProducer {
    if (!this.flowProducer) {
      this.flowProducer = this.construct((connection, factory) => new FlowProducer({ connection }, factory));
      this.flowProducer.on('error', this.onError);
    }
    return this.flowProducer;
  }

  async add(job: JobSpec): Promise<void> {
    await this.queue(job.queue).add(job.name, job.data, jobOptions(job));
  }

  async addFlow(flow: JobFlow): Promise<void> {
    await this.flows.add(flowOf(flow));
  }

  async addFlows(flows: JobFlow[]): Promise<void> {
    await this.flows.addBulk(flows.map(flowOf));
  }

  state(queue: QueueName, jobId: string): Promise<JobState | 'unknown'> {
    return this.queue(queue).getJobState(jobId);
  }

  async promote(queue: QueueName, jobId: string): Promise<boolean> {
    const job = await this.queue(queue).getJob(jobId);
    if (!job || !(await job.isDelayed())) return false;
    try {
      await job.promote();
      return true;
    } catch {
      return false; // promoted by somebody else in between: it is ready, which is what the caller wants
    }
  }

  async remove(queue: QueueName, jobId: string): Promise<void> {
    const job = await this.queue(queue).getJob(jobId);
    await job?.remove({ removeChildren: false }).catch(() => undefined);
  }

  work(queue: QueueName, processor: JobProcessor, options: { concurrency: number }): JobWorker {
    const controllers = new Map<string, AbortController>();
    const worker = this.construct(
      (connection, factory) =>
        new Worker(
          queue,
          async (job: Job, token?: string) => {
            const controller = new AbortController();
            controllers.set(job.id!, controller);
            try {
              await processor(job, controller.signal);
            } catch (error) {
              if (error instanceof NotServedError) {
                await job.moveToDelayed(Date.now() + error.delayMs, token);
                throw new DelayedError();
              }
              if (!(controller.signal.reason instanceof HandedBackError)) throw error;
              await job.moveToWait(token);
              throw new WaitingError();
            } finally {
              controllers.delete(job.id!);
            }
          },
          { connection, concurrency: options.concurrency, ...WORKER_TIMING },
          factory,
        ),
    );
    worker.on('error', this.onError);
    worker.on('lockRenewalFailed', (jobIds: string[]) => {
      for (const id of jobIds) controllers.get(id)?.abort(new Error('The lock of the job was lost'));
    });
    this.workers.add(worker);
    return {
      close: async (graceMs = GRACE_MS) => {
        this.workers.delete(worker);
        const handBack = () => {
          for (const controller of controllers.values())
            controller.abort(new HandedBackError('The worker stops'));
        };
        const timer = setTimeout(handBack, graceMs);
        await worker.close().finally(() => clearTimeout(timer));
      },
    };
  }

  all(): Queue[] {
    return queueNames.map((name) => this.queue(name));
  }

  check(): Promise<void> {
    return this.connected.check();
  }

  async close(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.close()));
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
    await this.flowProducer?.close();
    await this.connected.close();
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
