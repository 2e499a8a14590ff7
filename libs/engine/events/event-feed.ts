import type { RunEvent } from '#contracts/events.js';
import type { Database } from '#db/client.js';
import type { NotificationListener } from './listener.js';
import { LogReader } from './log-reader.js';
import { RunTail } from './run-tail.js';

/**
 * Follows the event logs of runs for any number of followers, with one LISTEN connection. Reads the new rows
 * of each run once, and of several runs by one statement if they have news at the same time. Notifications
 * only trigger reads; the rows are authoritative.
 */
export class EventFeed {
  private readonly tails = new Map<string, RunTail>();
  private readonly logs: LogReader;

  /** @param channel notification channel whose payload is the ID of a run with new events */
  constructor(
    private readonly db: Database,
    listener: NotificationListener,
    channel: string,
  ) {
    this.logs = new LogReader(db);
    listener.on(channel, (runId) => this.tails.get(runId)?.wake());
    listener.onReconnect(() => this.tails.forEach((tail) => tail.wake()));
  }

  /**
   * Yields a run's events after `after` (the `Last-Event-ID` of server-sent events) until its `done` event,
   * the abort or the deletion of the run. Also ends if the `done` event is at or before `after`.
   */
  async *follow(runId: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const tail = this.join(runId, after);
    try {
      let last = after;
      while (!signal.aborted) {
        const wasPast = tail.isPast(last);
        const events = await tail.after(last);
        for (const event of events) {
          yield event;
          last = event.seq;
          if (event.type === 'done') return;
        }
        if (events.length > 0) continue;
        if (wasPast || tail.isOver(last)) return;
        await tail.past(last, signal);
      }
    } finally {
      this.leave(runId, tail);
    }
  }

  private join(runId: string, from: number): RunTail {
    let tail = this.tails.get(runId);
    if (!tail) this.tails.set(runId, (tail = new RunTail(this.db, this.logs, runId, from)));
    tail.followers += 1;
    return tail;
  }

  private leave(runId: string, tail: RunTail): void {
    tail.followers -= 1;
    if (tail.followers > 0) return;
    tail.stop();
    this.tails.delete(runId);
  }
}
