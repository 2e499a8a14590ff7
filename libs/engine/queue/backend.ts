import {
  createRedisBackend,
  runMigrations,
  setDefaultBackendFactory,
  type BackendFactory,
  type ConnectionOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { onSharedConnection, shareConnection } from './shared-connection.js';

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
