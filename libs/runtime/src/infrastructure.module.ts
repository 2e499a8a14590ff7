import { storageOf, type CommonSettings } from '#config/settings.js';
import { createDatabase, type Database } from '#db/client.js';
import { connectJobQueues, type JobQueues } from '#queue/job-queues.js';
import type { Engine } from '#run-engine/engine.js';
import type { KnownKinds } from '#run-engine/kind.js';
import { createObjectStore } from '#storage/create-object-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import { createLogger, type Logger } from '#telemetry/logger.js';
import { startTracing } from '#telemetry/tracing.js';
import { Global, Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';

/** Injection tokens of what every app stands on. */
export const SETTINGS = Symbol('settings');
export const LOGGER = Symbol('logger');
export const DATABASE = Symbol('database');
export const QUEUES = Symbol('queues');
export const STORE = Symbol('object store');
export const ENGINE = Symbol('run engine');

/** The opened connections of an app; `close` ends them in order. */
export interface Infrastructure {
  log: Logger;
  db: Database;
  queues: JobQueues;
  store: ObjectStore;
  engine: Engine;
  close(): Promise<void>;
}

/**
 * Opens the database, the queue backend and the object store that the settings name.
 *
 * @param kinds what the app knows of the kinds of run; a worker, which does tasks, needs nothing of them
 */
export async function openInfrastructure(
  app: string,
  settings: CommonSettings,
  kinds: KnownKinds = new Map(),
): Promise<Infrastructure> {
  const log = createLogger(app, { level: settings.LOG_LEVEL });
  const stopTracing = await startTracing(app, settings.OTEL_EXPORTER_OTLP_ENDPOINT);
  const db = createDatabase(settings.DATABASE_URL, settings.DATABASE_POOL);
  const queues = await connectJobQueues(settings.QUEUE_URL ?? settings.DATABASE_URL, {
    onError: (error) => log.warn({ err: error }, 'the queue reports an error'),
  });
  const store = createObjectStore(storageOf(settings));
  return {
    log,
    db,
    queues,
    store,
    engine: { db, queues, log, kinds },
    async close() {
      await queues.close();
      await db.$disconnect();
      await stopTracing();
    },
  };
}

const INFRASTRUCTURE = Symbol('infrastructure');

/** Gives an app its settings and connections to inject, and closes the connections when the app is closed. */
@Global()
@Module({})
export class InfrastructureModule implements OnApplicationShutdown {
  constructor(@Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure) {}

  static of(infrastructure: Infrastructure, settings: CommonSettings): DynamicModule {
    const providers = [
      { provide: INFRASTRUCTURE, useValue: infrastructure },
      { provide: SETTINGS, useValue: settings },
      { provide: LOGGER, useValue: infrastructure.log },
      { provide: DATABASE, useValue: infrastructure.db },
      { provide: QUEUES, useValue: infrastructure.queues },
      { provide: STORE, useValue: infrastructure.store },
      { provide: ENGINE, useValue: infrastructure.engine },
    ];
    return { module: InfrastructureModule, providers, exports: providers };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.infrastructure.close();
  }
}
