import {
  createRedisBackend,
  runMigrations,
  setDefaultBackendFactory,
  type BackendFactory,
  type ConnectionOptions,
  PostgresConnection,
  PostgresQueueBackend,
  type PostgresConnectionOptions,
  type QueueBaseOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { queueStatements } from '#db/statements.js';

/** Open connection to the backend of BullMQ. */
export interface QueueBackend {
  name: 'postgres' | 'redis';
  /** Argument for BullMQ's classes; their types do not include a PostgreSQL pool. */
  connection: ConnectionOptions;
  onError(error: Error): void;
  /** Returns whether the connection is lost: commands would then wait for the reconnect. */
  isAway(): boolean;
  /** Throws if the backend is unreachable. */
  check(): Promise<void>;
  /** Closes the connection. Close everything that uses it first. */
  close(): Promise<void>;
}

export interface QueueBackendOptions {
  /** PostgreSQL only: maximum connections of this process; its workers listen for jobs on one of them. */
  maxConnections?: number;
  onError: (error: Error) => void;
}

const isPostgres = ({ connection }: { connection?: unknown }) => connection instanceof pg.Pool;

/**
 * Chooses the backend by the connection. `BullModule` has no option for the backend of its queues and
 * workers: without this default, those on PostgreSQL would silently connect to a Redis on localhost.
 */
const byConnection: BackendFactory = (name, options, factoryOptions) =>
  isPostgres(options)
    ? onSharedConnection(name, options, factoryOptions)
    : createRedisBackend(name, options, factoryOptions);

/**
 * Connects to the queue backend of the URL and prepares it (creates its tables if needed). Call it before
 * Nest creates the queues.
 *
 * @param url `redis://…`, `rediss://…` or `postgres://…`
 */
export async function openQueueBackend(url: string, options: QueueBackendOptions): Promise<QueueBackend> {
  setDefaultBackendFactory(byConnection);
  const isRedis = /^rediss?:/.test(url);
  return isRedis
    ? openRedis(url, options.onError)
    : openPostgres(url, options.maxConnections ?? 5, options.onError);
}

/**
 * Milliseconds that an idle connection to PostgreSQL stays open. Tasks that end together need several at
 * once, and a new one costs as much as a dozen statements, because its statements must be planned again.
 */
const IDLE_MS = 60_000;

/** Opens BullMQ's PostgreSQL backend, in the schema `bullmq` of the given database. */
async function openPostgres(
  url: string,
  max: number,
  onError: (error: Error) => void,
): Promise<QueueBackend> {
  const options = '-c search_path=bullmq';
  const pool = new pg.Pool({
    connectionString: url,
    max,
    options,
    keepAlive: true,
    idleTimeoutMillis: IDLE_MS,
  });
  pool.setMaxListeners(0); // every queue and worker adds listeners
  pool.on('error', onError);
  pool.on('connect', (client) => client.setMaxListeners(0).on('error', onError));
  const client = await pool.connect();
  try {
    await runMigrations(client as Parameters<typeof runMigrations>[0]);
    await storeNoEvents(client);
  } finally {
    client.release();
  }
  const closeShared = shareConnection(pool);
  return {
    name: 'postgres',
    connection: pool as ConnectionOptions,
    onError,
    // A pool opens a new connection when a command needs one.
    isAway: () => false,
    check: async () => void (await pool.query('SELECT 1')),
    async close() {
      await closeShared();
      await pool.end();
    },
  };
}

async function openRedis(url: string, onError: (error: Error) => void): Promise<QueueBackend> {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  connection.setMaxListeners(0); // every queue and worker adds listeners
  connection.on('error', onError);
  await connection.ping();
  return {
    name: 'redis',
    connection,
    onError,
    isAway: () => connection.status !== 'ready',
    check: async () => void (await connection.ping()),
    close: async () => connection.disconnect(),
  };
}

/**
 * Stops BullMQ from storing its event stream and deletes stored events: nothing here reads them, and they
 * would contain the IDs of runs and tasks long after those were deleted.
 *
 * @param client its search_path must be BullMQ's schema, after its migrations
 */
async function storeNoEvents(client: pg.ClientBase): Promise<void> {
  const found = await client.query(
    `SELECT 1 FROM pg_trigger WHERE tgrelid = 'event'::regclass AND tgname = 'store_no_events'`,
  );
  if (found.rowCount !== 0) return;
  // Statements sent together form one transaction. If several processes start at once, the second repeats the
  // same changes.
  await client.query(`
    SELECT pg_advisory_xact_lock(hashtext('store_no_events'));
    CREATE OR REPLACE FUNCTION store_no_events() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE OR REPLACE TRIGGER store_no_events BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION store_no_events();
    DELETE FROM event`);
}

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
function shareConnection(pool: pg.Pool): () => Promise<void> {
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
