import { queueStatements } from '#db/queue-statements.js';
import {
  PostgresConnection,
  PostgresQueueBackend,
  type PostgresConnectionOptions,
  type QueueBaseOptions,
} from 'bullmq';
import type pg from 'pg';

/** Milliseconds for which the workers of a process, whose checks begin together, share an answer. */
const SHARED_MS = 2_000;

type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

/**
 * BullMQ's connection to PostgreSQL for all queues and workers of a process. By default each of them checks the
 * schema on its own, and each worker listens for jobs in a session of its own.
 */
class SharedConnection extends PostgresConnection {
  private readonly workers = new Set<string>();
  private listening: ListenClient | undefined;
  private active: { queues: Promise<Set<string>>; until: number } | undefined;

  /** Returns the client that listens for jobs. It executes the statements of all workers one after another. */
  override async getListenClient(): Promise<ListenClient> {
    const client = await super.getListenClient();
    if (this.listening !== client) queueStatements(client);
    this.listening = client;
    return client;
  }

  /** Adds a worker to the name of the session, by which bull-board finds the workers. */
  override async setListenClientName(worker: string): Promise<void> {
    this.workers.add(worker);
    await super.setListenClientName([...this.workers].join());
  }

  /** Returns the queues that have active jobs, read at most two seconds ago. */
  queuesWithActiveJobs(): Promise<Set<string>> {
    if (this.active === undefined || this.active.until < performance.now())
      this.active = { queues: this.readActive(), until: performance.now() + SHARED_MS };
    return this.active.queues;
  }

  private async readActive(): Promise<Set<string>> {
    const { rows } = await (this.pool as unknown as pg.Pool).query<{ queue: string }>({
      name: 'queues with active jobs',
      text: `SELECT DISTINCT queue FROM job WHERE state = 'active'`,
    });
    return new Set(rows.map(({ queue }) => queue));
  }

  /** Emits no errors: the owner of the pool reports each once, and every queue and worker would repeat it. */
  override emit(event: string, ...args: unknown[]): boolean {
    return event !== 'error' && super.emit(event, ...args);
  }

  /** Does nothing: each queue and worker calls it, and `end` closes the connection after the last. */
  override async close(): Promise<void> {}

  /** Ends the session that listens for jobs; the owner of the pool ends the pool. */
  end(): Promise<void> {
    return super.close();
  }
}

class SharedBackend extends PostgresQueueBackend {
  declare connection: SharedConnection;

  /**
   * Looks for stalled jobs only if the queue has active ones: an idle process then executes one statement, not one
   * per worker.
   */
  override async moveStalledJobsToWait(): Promise<string[]> {
    const active = await this.connection.queuesWithActiveJobs();
    return active.has(this.queueName) ? super.moveStalledJobsToWait() : [];
  }

  /** Lists each worker of a session. */
  override async getClientList(): Promise<string[]> {
    const lists = await super.getClientList();
    return lists.map((list) => list.replaceAll(',', '\nname='));
  }
}

/** Connections by their pools. */
const shared = new WeakMap<object, SharedConnection>();

/** Shares BullMQ's connection among all queues and workers of a pool; returns a function that closes it. */
export function shareConnection(pool: pg.Pool): () => Promise<void> {
  const connection = new SharedConnection(pool as unknown as PostgresConnectionOptions);
  connection.setMaxListeners(0); // every queue and worker adds listeners
  shared.set(pool, connection);
  return () => connection.end();
}

/** Creates the backend of a queue or worker whose `connection` is a pool with a shared connection. */
export function onSharedConnection(
  name: string,
  options: QueueBaseOptions,
  { withBlockingConnection }: { withBlockingConnection?: boolean } = {},
): PostgresQueueBackend {
  const connection = shared.get(options.connection)!;
  const given = options as QueueBaseOptions<PostgresConnectionOptions>;
  return new SharedBackend(connection, name, given, true, withBlockingConnection ? name : undefined);
}
