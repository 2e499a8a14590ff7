import type { Engine } from '#engine/engine.js';
import { purgeDeleted } from '#engine/runs/delete.js';
import { sweepCopies } from '#engine/history/session-copy.js';
import { sweepObjects } from '#engine/history/sweep-objects.js';
import { dropRolledBack } from '#engine/runs/rollback.js';
import { ENGINE, LOGGER, STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { Logger } from '#telemetry/logger.js';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

const INTERVAL_MS = 5 * 60_000;

/**
 * Completes deletions and copies that a crash interrupted, and deletes unreferenced objects, for example
 * those written by late workers after a deletion or rollback.
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
      this.log.warn({ err: error }, 'failed to empty deleted folders; will retry'),
    );
    await sweepCopies(this.engine.db).catch((error: unknown) =>
      this.log.warn({ err: error }, 'failed to abandon interrupted copies; will retry'),
    );
    await sweepObjects(this.engine, this.store).catch((error: unknown) =>
      this.log.warn({ err: error }, 'failed to delete unreferenced objects; will retry'),
    );
    await dropRolledBack(this.engine.db, this.store).catch((error: unknown) =>
      this.log.warn({ err: error }, 'failed to delete results of rolled-back runs; will retry'),
    );
  }
}
