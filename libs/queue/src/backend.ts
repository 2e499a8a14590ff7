import {
  createPostgresBackend,
  createRedisBackend,
  runMigrations,
  setDefaultBackendFactory,
  type BackendFactory,
  type ConnectionOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { storeNoEvents } from './no-events.js';

/** An opened connection to where BullMQ keeps its jobs. */
export interface QueueBackend {
  name: 'postgres' | 'redis';
  /** What BullMQ's classes take; on PostgreSQL its types know no pool there. */
  connection: ConnectionOptions;
  onError(error: Error): void;
  /** Returns whether the connection is lost: commands would then wait for the reconnect. */
  isAway(): boolean;
  /** Throws when the backend cannot be reached. */
  check(): Promise<void>;
  /** Ends the connection: after everything that uses it. */
  close(): Promise<void>;
}

export interface QueueBackendOptions {
  /** For PostgreSQL: connections this process may hold; each worker takes one of them for itself. */
  maxConnections?: number;
  onError: (error: Error) => void;
}

const isPostgres = ({ connection }: { connection?: unknown }) => connection instanceof pg.Pool;

/**
 * `BullModule` cannot be told which backend its queues and workers are for: without this, those for PostgreSQL would silently look
 * for a Redis on localhost. So the process's default looks at the connection.
 */
const byConnection: BackendFactory = (name, options, factoryOptions) =>
  (isPostgres(options) ? (createPostgresBackend as BackendFactory) : createRedisBackend)(
    name,
    options,
    factoryOptions,
  );

/**
 * Connects to the queue backend that the URL names and makes it ready for use (creates its tables when needed). Has to be done
 * before Nest makes the queues.
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
 * Milliseconds that a connection to PostgreSQL is kept without use. Tasks that end together need several at once, and a new one costs as much as
 * a dozen statements: the server knows no plan for it yet.
 */
const IDLE_MS = 60_000;

/** BullMQ's PostgreSQL backend lives in the schema `bullmq` of the given database. */
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
  pool.setMaxListeners(0); // every queue and worker listens to it
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  const client = await pool.connect();
  try {
    await runMigrations(client as Parameters<typeof runMigrations>[0]);
    await storeNoEvents(client);
  } finally {
    client.release();
  }
  return {
    name: 'postgres',
    connection: pool as ConnectionOptions,
    onError,
    // A pool reconnects for each command.
    isAway: () => false,
    check: async () => void (await pool.query('SELECT 1')),
    close: () => pool.end(),
  };
}

async function openRedis(url: string, onError: (error: Error) => void): Promise<QueueBackend> {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  connection.setMaxListeners(0); // every queue and worker listens to it
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
