import { storageOf, type CommonSettings } from '#config/settings.js';
import { createDatabase, type Database } from '#db/client.js';
import { projectRoot } from '#embedded/project-root.js';
import { openQueueBackend, type QueueBackend } from '#queue/backend.js';
import { JobQueues } from '#queue/job-queues.js';
import { QueueModule } from '#queue/queue.module.js';
import type { Engine } from '#run-engine/engine.js';
import type { KnownKinds } from '#run-engine/kind.js';
import { createObjectStore } from '#storage/create-object-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { createLogger, type Logger } from '#telemetry/logger.js';
import { startTracing } from '#telemetry/tracing.js';
import { MigrationCheck } from './migration-check.js';
import { watchStore } from './watched-store.js';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { join } from 'node:path';

/** Injection tokens of what every app stands on. */
export const SETTINGS = Symbol('settings');
export const LOGGER = Symbol('logger');
export const DATABASE = Symbol('database');
export const QUEUES = Symbol('queues');
export const STORE = Symbol('object store');
export const ENGINE = Symbol('run engine');

/** The opened connections of an app. */
export interface Infrastructure {
  log: Logger;
  db: Database;
  queueBackend: QueueBackend;
  store: ObjectStore;
  kinds: KnownKinds;
  migrations: MigrationCheck;
  /** Closes them: after the app. */
  close(): Promise<void>;
}

/**
 * Opens the database, the queue backend and the object store that the settings name.
 *
 * @param kinds what the app knows of the kinds of run; a worker, which does tasks, needs nothing of them
 * @throws StorageUnavailableError that says what is wrong with the object store
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
  const db = createDatabase(settings.DATABASE_URL, settings.DATABASE_POOL);
  const queueBackend = await openQueueBackend(settings.QUEUE_URL ?? settings.DATABASE_URL, {
    onError: (error) => log.warn({ err: error }, 'the queue reports an error'),
  });
  const migrations = new MigrationCheck(db, log, join(projectRoot(), 'prisma/migrations'));
  await migrations.state();
  return {
    log,
    db,
    queueBackend,
    store: watchStore(store, log),
    kinds,
    migrations,
    async close() {
      await queueBackend.close();
      await db.$disconnect();
      await stopTracing();
    },
  };
}

/** Gives an app its settings, its connections and the queues on them to inject. */
@Global()
@Module({})
export class InfrastructureModule {
  static of(
    { log, db, queueBackend, store, kinds, migrations }: Infrastructure,
    settings: CommonSettings,
  ): DynamicModule {
    const engine = (queues: JobQueues): Engine => ({ db, queues, log, kinds });
    const providers = [
      { provide: SETTINGS, useValue: settings },
      { provide: LOGGER, useValue: log },
      { provide: DATABASE, useValue: db },
      { provide: STORE, useValue: store },
      { provide: MigrationCheck, useValue: migrations },
      { provide: QUEUES, useExisting: JobQueues },
      { provide: ENGINE, useFactory: engine, inject: [JobQueues] },
    ];
    const imports = [QueueModule.of(queueBackend)];
    return { module: InfrastructureModule, imports, providers, exports: providers };
  }
}
