import { storageOf, type CommonSettings } from '#config/settings.js';
import { type Database, createDatabase } from '#db/client.js';
import { projectRoot } from '#embedded/project-root.js';
import { NotificationListener } from '#engine/events/listener.js';
import { type QueueBackend, openQueueBackend } from '#engine/queue/backend.js';
import { JobQueues } from '#engine/queue/job-queues.js';
import { QueueModule } from '#engine/queue/queue.module.js';
import type { Engine } from '#engine/engine.js';
import type { KnownKinds } from '#engine/kind.js';
import { createObjectStore } from '#storage/create-object-store.js';
import { type ObjectStore, StorageUnavailableError } from '#storage/object-store.js';
import { createLogger, type Logger, logRepeatedErrors } from '#telemetry/logger.js';
import { startTracing } from '#telemetry/tracing.js';
import { MigrationCheck } from './migration-check.js';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { join } from 'node:path';
import { waitFor } from '#contracts/wait.js';
import { processMetrics } from '#telemetry/metrics.js';

/** Injection tokens of the services that every app uses. */
export const SETTINGS = Symbol('settings');
export const LOGGER = Symbol('logger');
export const DATABASE = Symbol('database');
export const QUEUES = Symbol('queues');
export const LISTENER = Symbol('notification listener');
export const STORE = Symbol('object store');
export const ENGINE = Symbol('run engine');

/** The opened connections of an app. */
export interface Infrastructure {
  log: Logger;
  db: Database;
  queueBackend: QueueBackend;
  listener: NotificationListener;
  store: ObjectStore;
  kinds: KnownKinds;
  migrations: MigrationCheck;
  /** Closes the connections; call it after the app is closed. */
  close(): Promise<void>;
}

/**
 * Opens the database, the queue backend and the object store of the settings.
 *
 * @param kinds kinds of run that the app knows; workers, which only process tasks, need none
 * @throws StorageUnavailableError with the reason if the object store cannot be used
 */
export async function openInfrastructure(
  app: string,
  settings: CommonSettings,
  kinds: KnownKinds = new Map(),
): Promise<Infrastructure> {
  const log = createLogger(app, { level: settings.LOG_LEVEL });
  const store = createObjectStore(storageOf(settings));
  await store.check();
  const stopTracing = await startTracing(app, settings.OTEL_EXPORTER_OTLP_ENDPOINT);
  const { db, queueBackend, listener, release } = await shareConnections(settings, log);
  const migrations = new MigrationCheck(db, log, join(projectRoot(), 'prisma/migrations'));
  await migrations.state();
  return {
    log,
    db,
    queueBackend,
    listener,
    store: watchStore(store, log),
    kinds,
    migrations,
    async close() {
      await release();
      await stopTracing();
    },
  };
}

/** Provides the settings, the connections and the queues of an app for injection. */
@Global()
@Module({})
export class InfrastructureModule {
  static of(
    { log, db, queueBackend, listener, store, kinds, migrations }: Infrastructure,
    settings: CommonSettings,
  ): DynamicModule {
    const engine = (queues: JobQueues): Engine => ({ db, queues, log, kinds });
    const providers = [
      { provide: SETTINGS, useValue: settings },
      { provide: LOGGER, useValue: log },
      { provide: DATABASE, useValue: db },
      { provide: LISTENER, useValue: listener },
      { provide: STORE, useValue: store },
      { provide: MigrationCheck, useValue: migrations },
      { provide: QUEUES, useExisting: JobQueues },
      { provide: ENGINE, useFactory: engine, inject: [JobQueues] },
    ];
    const imports = [QueueModule.of(queueBackend)];
    return { module: InfrastructureModule, imports, providers, exports: providers };
  }
}

/** Time limit of a check, in ms. */
const LIMIT_MS = 5_000;

/** Returns the store with a check that also sets the metric of its availability and logs each change. */
export function watchStore(store: ObjectStore, log: Logger): ObjectStore {
  let isUp: boolean | undefined;
  const note = (now: boolean, error?: unknown) => {
    processMetrics.objectStoreUp.set(now ? 1 : 0);
    // A check's message contains no tenant's text.
    const reason = error instanceof StorageUnavailableError ? error.message : undefined;
    if (!now && isUp !== false) log.error({ err: error, reason }, 'the object store is unavailable');
    if (now && isUp === false) log.info({}, 'the object store is available again');
    isUp = now;
  };
  const check = async () => {
    const onLate = () =>
      new StorageUnavailableError(`The object store did not respond within ${LIMIT_MS / 1_000} s.`);
    try {
      await waitFor(store.check(), undefined, LIMIT_MS, onLate);
      note(true);
    } catch (error) {
      note(false, error);
      throw error;
    }
  };
  return { ...store, check };
}

interface Opened {
  db: Database;
  queueBackend: QueueBackend;
  /** Connects when an app listens on a channel. */
  listener: NotificationListener;
}

/** Connections of this process by their settings, with the number of apps that use them. */
const inUse = new Map<string, { opened: Promise<Opened>; apps: number }>();

/**
 * Connects an app to the database and the queue of its settings. Apps that run in one process share the
 * connections.
 *
 * @returns the connections, and a function that closes them when no app uses them any more
 */
async function shareConnections(
  { DATABASE_URL, QUEUE_URL = DATABASE_URL, DATABASE_POOL }: CommonSettings,
  log: Logger,
): Promise<Opened & { release(): Promise<void> }> {
  const key = JSON.stringify([DATABASE_URL, QUEUE_URL, DATABASE_POOL]);
  const known = inUse.get(key);
  const shared = known ?? { opened: open(DATABASE_URL, QUEUE_URL, DATABASE_POOL, log), apps: 0 };
  shared.apps += 1;
  inUse.set(key, shared);
  const release = async () => {
    shared.apps -= 1;
    if (shared.apps > 0) return;
    inUse.delete(key);
    const { db, queueBackend, listener } = await shared.opened;
    await listener.stop();
    await queueBackend.close();
    await db.$disconnect();
  };
  try {
    return { ...(await shared.opened), release };
  } catch (error) {
    inUse.delete(key);
    throw error;
  }
}

async function open(databaseUrl: string, queueUrl: string, pool: number, log: Logger): Promise<Opened> {
  const db = createDatabase(databaseUrl, pool);
  const onError = logRepeatedErrors(log, 'queue error');
  // The workers listen on one of these connections, so at least one more is needed.
  const maxConnections = Math.max(pool, 2);
  const queueBackend = await openQueueBackend(queueUrl, { maxConnections, onError });
  return { db, queueBackend, listener: new NotificationListener(databaseUrl) };
}
