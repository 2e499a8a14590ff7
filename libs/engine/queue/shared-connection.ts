import {
  PostgresConnection,
  PostgresQueueBackend,
  type PostgresConnectionOptions,
  type QueueBaseOptions,
} from 'bullmq';
import type pg from 'pg';

/**
 * BullMQ's connection to PostgreSQL for all queues and workers of a process. By default each of them checks the
 * schema on its own, and each worker listens for jobs in a session of its own.
 */
class SharedConnection extends PostgresConnection {
  private readonly workers = new Set<string>();

  /** Adds a worker to the name of the session, by which bull-board finds the workers. */
  override async setListenClientName(worker: string): Promise<void> {
    this.workers.add(worker);
    await super.setListenClientName([...this.workers].join());
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
