import { storageOf, type CommonSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import { projectRoot } from '#embedded/project-root.js';
import type { NotificationListener } from '#engine/events/listener.js';
import type { QueueBackend } from '#engine/queue/backend.js';
import { JobQueues } from '#engine/queue/job-queues.js';
import { QueueModule } from '#engine/queue/queue.module.js';
import type { Engine } from '#engine/engine.js';
import type { KnownKinds } from '#engine/kind.js';
import { createObjectStore } from '#storage/create-object-store.js';
import { type ObjectStore, StorageUnavailableError } from '#storage/object-store.js';
import { createLogger, type Logger } from '#telemetry/logger.js';
import { startTracing } from '#telemetry/tracing.js';
import { MigrationCheck } from './migration-check.js';
import { shareConnections } from './shared-connections.js';
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
