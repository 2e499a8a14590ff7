import type { RunEvent } from '#catalogue/events.js';
import type { Database } from '#db/client.js';
import type { NotificationListener } from './listener.js';
import { PAGE, eventOf, readLogs, type EventRow, type Place } from './read.js';
import { Wakes } from './wakes.js';
import { asService, asTenant, currentTenant } from '#db/tenant-scope.js';

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

/** Maximum positions that one statement reads from. */
const AT_ONCE = 50;

/** Events after a position, oldest first; null if none can follow, as in `readLogs`. */
type Page = RunEvent[] | null;

class LogRequest implements Place {
  got!: (page: Page) => void;
  failed!: (error: unknown) => void;
  readonly page = new Promise<Page>((got, failed) => {
    this.got = got;
    this.failed = failed;
  });

  constructor(
    readonly runId: string,
    readonly after: number,
  ) {}
}

/**
 * Reads the logs of runs for their followers. Requests that arrive during a statement of the same tenant, or
 * in the same turn of the event loop, share the next statement: the more runs are followed, the fewer
 * statements each of them needs. Requests for the same position share their events.
 */
export class LogReader {
  /** Pending requests by tenant and position; an entry exists while statements of the tenant are running. */
  private readonly waiting = new Map<string | null, Map<string, LogRequest>>();

  constructor(private readonly db: Database) {}

  /** Reads a page of a run's events after a sequence number, as the caller's tenant. */
  read(runId: string, after: number): Promise<Page> {
    const waiting = this.waiting.get(currentTenant()) ?? this.start(currentTenant());
    const position = `${runId} ${after}`;
    let request = waiting.get(position);
    if (!request) waiting.set(position, (request = new LogRequest(runId, after)));
    return request.page;
  }

  private start(tenantId: string | null): Map<string, LogRequest> {
    const waiting = new Map<string, LogRequest>();
    this.waiting.set(tenantId, waiting);
    const readAll = () => this.readAll(tenantId, waiting);
    void (tenantId === null ? asService(readAll) : asTenant(tenantId, readAll));
    return waiting;
  }

  private async readAll(tenantId: string | null, waiting: Map<string, LogRequest>): Promise<void> {
    // Notifications arrive several at a time: wait for all of them before the first statement.
    await Promise.resolve();
    while (waiting.size > 0) {
      const next = [...waiting].slice(0, AT_ONCE);
      for (const [position] of next) waiting.delete(position);
      await this.readSome(next.map(([, wanted]) => wanted));
    }
    this.waiting.delete(tenantId);
  }

  private async readSome(wanted: LogRequest[]): Promise<void> {
    try {
      const logs = await readLogs(this.db, wanted);
      wanted.forEach((each, index) => hand(each, logs[index]!));
    } catch (error) {
      for (const { failed } of wanted) failed(error);
    }
  }
}

/** Passes the rows to their request. An invalid event is an error only for the followers of that run. */
function hand({ runId, got, failed }: LogRequest, rows: EventRow[] | null): void {
  try {
    got(rows && rows.map((row) => eventOf(runId, row)));
  } catch (error) {
    failed(error);
  }
}
