import { ApiKeyRepository, type Caller } from '#db/repositories/api-keys.js';
import { asService } from '#db/tenant-scope.js';
import { LOGGER } from '#kit/runtime/infrastructure.module.js';
import type { Logger } from '#telemetry/logger.js';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

const INTERVAL_MS = 2_000;

/** A caller whose access is checked again during a long response. */
interface Watched {
  /** Aborts when the key or token has ended, or the tenant was suspended. */
  signal: AbortSignal;
  stop(): void;
}

/** Ends long responses (event streams) within 5 seconds after their key or token ends. */
@Injectable()
export class CallerWatch implements OnApplicationShutdown {
  private readonly watched = new Map<AbortController, Caller>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(LOGGER) private readonly log: Logger,
    private readonly keys: ApiKeyRepository,
  ) {}

  watch(caller: Caller): Watched {
    const controller = new AbortController();
    this.watched.set(controller, caller);
    // One timer serves the streams of all tenants, so it must not run in the scope of one tenant.
    this.timer ??= setInterval(() => void asService(() => this.look()), INTERVAL_MS).unref();
    return { signal: controller.signal, stop: () => this.forget(controller) };
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Checks all watched keys in one query. */
  private async look(): Promise<void> {
    try {
      const keyIds = [...new Set([...this.watched.values()].map(({ apiKeyId }) => apiKeyId))];
      const ended = await this.keys.ended(keyIds);
      for (const [controller, { apiKeyId, tokenExpiresAt }] of this.watched) {
        const isOver = tokenExpiresAt !== null && tokenExpiresAt.getTime() <= Date.now();
        if (isOver || ended.has(apiKeyId)) controller.abort();
      }
    } catch (error) {
      this.log.warn({ err: error }, 'failed to check the keys of open streams; will retry');
    }
  }

  private forget(controller: AbortController): void {
    this.watched.delete(controller);
    if (this.watched.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
