import type { RunEvent } from '#contracts/events.js';
import type { Database } from '#db/client.js';
import type { NotificationListener } from './listener.js';
import { LogReader } from './log-reader.js';
import { PAGE } from './read.js';
import { Wakes } from './wakes.js';

/** Polling interval in ms, in case a notification was lost. */
const POLL_MS = 5_000;

/**
 * Follows the event logs of runs for any number of followers, with one LISTEN connection. Followers fetch
 * events instead of being pushed to, so the memory is bounded regardless of their number and speed; those at
 * the same position share a read.
 */
export class EventFeed {
  private readonly wakes: Wakes;
  private readonly logs: LogReader;

  /** @param channel notification channel whose payload is the ID of a run with new events */
  constructor(db: Database, listener: NotificationListener, channel: string) {
    this.logs = new LogReader(db);
    this.wakes = new Wakes(listener, channel, POLL_MS);
  }

  /**
   * Yields a run's events after `after` (the `Last-Event-ID` of server-sent events) until its `done` event,
   * the abort or the deletion of the run. Also ends if the `done` event is at or before `after`.
   */
  async *follow(runId: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const news = this.wakes.join(runId);
    let last = after;
    let hasRead = false;
    try {
      while (!signal.aborted) {
        news.takePending();
        const events = await this.logs.read(runId, last).catch((error: unknown) => {
          if (!hasRead) throw error;
          // The next notification or poll reads again.
          return [];
        });
        hasRead = true;
        if (events === null) return;
        for (const event of events) {
          yield event;
          last = event.seq;
          if (event.type === 'done') return;
        }
        if (events.length < PAGE) await news.some(signal);
      }
    } finally {
      this.wakes.leave(runId, news);
    }
  }
}
