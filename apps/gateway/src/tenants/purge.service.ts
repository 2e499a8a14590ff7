import type { Engine } from '#run-engine/engine.js';
import { purgeDeleted } from '#run-engine/delete.js';
import { sweepCopies } from '#run-engine/history/session-copy.js';
import { sweepObjects } from '#run-engine/history/sweep-objects.js';
import { dropRolledBack } from '#run-engine/rollback.js';
import { ENGINE, LOGGER, STORE } from '#runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { Logger } from '#telemetry/logger.js';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

const INTERVAL_MS = 5 * 60_000;

/**
 * Ends deletions and copies that a crash cut short, and removes objects that nothing refers to, such as those that late
 * workers wrote after a deletion or a rollback.
 */
@Injectable()
export class PurgeService implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    @Inject(STORE) private readonly store: ObjectStore,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.purge(), INTERVAL_MS).unref();
    void this.purge();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async purge(): Promise<void> {
    await purgeDeleted(this.engine.db, this.store).catch((error: unknown) =>
      this.log.warn({ err: error }, 'deleted folders could not be emptied; tried again later'),
    );
    await sweepCopies(this.engine.db).catch((error: unknown) =>
      this.log.warn({ err: error }, 'copies that were broken off could not be given up; tried again later'),
    );
    await sweepObjects(this.engine, this.store).catch((error: unknown) =>
      this.log.warn({ err: error }, 'objects without a reference could not be removed; tried again later'),
    );
    await dropRolledBack(this.engine.db, this.store).catch((error: unknown) =>
      this.log.warn({ err: error }, 'results of runs taken back could not be removed; tried again later'),
    );
  }
}
