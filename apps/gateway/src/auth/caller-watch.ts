import type { Database } from '#db/client.js';
import { ApiKeyRepository, type Caller } from '#db/repositories/api-keys.js';
import { asService } from '#db/tenant-scope.js';
import { DATABASE, LOGGER } from '#runtime/infrastructure.module.js';
import type { Logger } from '#telemetry/logger.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

const INTERVAL_MS = 2_000;

/** A caller whose right is looked at again while an answer lasts. */
export interface Watched {
  /** Aborts when the key or token has ended, or the tenant was suspended. */
  signal: AbortSignal;
  stop(): void;
}

/** Ends long answers (event streams) within 5 seconds of the end of the key they were asked for with. */
@Injectable()
export class CallerWatch implements OnApplicationShutdown {
  private readonly keys: ApiKeyRepository;
  private readonly watched = new Map<AbortController, Caller>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(DATABASE) db: Database,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.keys = new ApiKeyRepository(db);
  }

  watch(caller: Caller): Watched {
    const controller = new AbortController();
    this.watched.set(controller, caller);
    // One timer for the streams of all tenants, whoever opened the first.
    this.timer ??= setInterval(() => void asService(() => this.look()), INTERVAL_MS).unref();
    return { signal: controller.signal, stop: () => this.forget(controller) };
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** One query for all of them, whatever their number. */
  private async look(): Promise<void> {
    try {
      const keyIds = [...new Set([...this.watched.values()].map(({ apiKeyId }) => apiKeyId))];
      const ended = await this.keys.ended(keyIds);
      for (const [controller, { apiKeyId, tokenExpiresAt }] of this.watched) {
        const isOver = tokenExpiresAt !== null && tokenExpiresAt.getTime() <= Date.now();
        if (isOver || ended.has(apiKeyId)) controller.abort();
      }
    } catch (error) {
      this.log.warn({ err: error }, 'the keys of open streams could not be looked at; tried again');
    }
  }

  private forget(controller: AbortController): void {
    this.watched.delete(controller);
    if (this.watched.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
