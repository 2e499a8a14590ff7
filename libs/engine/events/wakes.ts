import { EventEmitter, once } from 'node:events';
import type { NotificationListener } from './listener.js';

/** Changes that one follower of a run or collection has not read yet. */
class PendingWakes {
  private ids = new Set<string>();
  private missed = true;
  private readonly emitter = new EventEmitter();

  add(id: string): void {
    this.ids.add(id);
    this.emitter.emit('news');
  }

  /** Notifications may have been lost, so it is unknown what is new. */
  addMissed(): void {
    this.missed = true;
    this.emitter.emit('news');
  }

  /** Returns the IDs with new data since the last call; `missed` is true at the first call. */
  takePending(): { ids: string[]; missed: boolean } {
    const pending = { ids: [...this.ids], missed: this.missed };
    this.ids = new Set();
    this.missed = false;
    return pending;
  }

  /** Resolves when there is something to take, or when the signal aborts. */
  async some(signal: AbortSignal): Promise<void> {
    if (this.ids.size > 0 || this.missed) return;
    // Rejects only when the signal aborts, which the caller checks.
    await once(this.emitter, 'news', { signal }).catch(() => undefined);
  }
}

/**
 * Wakes the followers of runs or collections on notifications, which only say what to read: the rows are
 * authoritative.
 */
export class Wakes {
  private readonly followers = new Map<string, Set<PendingWakes>>();
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param channel notification channel; its payload is the ID of a run or collection, then, separated by a
   * space, the ID of what changed, if there is one
   * @param pollMs interval in ms at which all followers are woken anyway; null for none
   */
  constructor(
    listener: NotificationListener,
    channel: string,
    private readonly pollMs: number | null = null,
  ) {
    listener.on(channel, (payload) => {
      const [key = '', id = ''] = payload.split(' ');
      for (const news of this.followers.get(key) ?? []) news.add(id);
    });
    listener.onReconnect(() => this.wakeAll());
  }

  join(key: string): PendingWakes {
    const news = new PendingWakes();
    if (this.pollMs !== null) this.timer ??= setInterval(() => this.wakeAll(), this.pollMs).unref();
    this.followers.set(key, (this.followers.get(key) ?? new Set()).add(news));
    return news;
  }

  leave(key: string, news: PendingWakes): void {
    const others = this.followers.get(key);
    others?.delete(news);
    if (others?.size === 0) this.followers.delete(key);
    if (this.followers.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private wakeAll(): void {
    for (const all of this.followers.values()) for (const news of all) news.addMissed();
  }
}
