import { type RunEvent, runEventSchema } from '#catalogue/events.js';
import { type Database, Prisma } from '#db/client.js';
import type { NotificationListener } from './listener.js';
import { Wakes } from './wakes.js';
import { asService, asTenant, currentTenant } from '#db/tenant-scope.js';
import { shownEventData } from '#db/shown-status.js';

/** Maximum events of a run per read. */
const PAGE = 500;

/** Position in a run's log: after the event with this number. */
interface Place {
  runId: string;
  after: number;
}

/** Event as stored. */
interface EventRow {
  seq: number;
  at: Date;
  type: string;
  data: Record<string, unknown>;
}

/** Returns the event of a row. @throws ZodError for an event that this release does not know */
export const eventOf = (runId: string, { seq, at, type, data }: EventRow): RunEvent =>
  runEventSchema.parse({ seq, at: at.toISOString(), run_id: runId, type, data: shownEventData(type, data) });

/**
 * Reads the rows after several positions by one statement. Only decisions about proposals can follow the end of a run.
 *
 * @returns an array per position, oldest first; null if no rows can follow, because the run has ended or was
 * deleted
 */
export async function readLogs(db: Database, places: Place[]): Promise<(EventRow[] | null)[]> {
  type Row = EventRow & { place: number; newest: string | null };
  const found = await db.$statement<Row | { place: number; newest: string | null; seq: null }>(Prisma.sql`
    /* read events */ SELECT place.n::int AS place, event.*, CASE WHEN event.seq IS NULL THEN
      (SELECT type FROM run_events WHERE run_id = place.run_id AND type <> 'proposals_decided' ORDER BY seq DESC LIMIT 1) END AS newest
    -- The sub-selects hide the values from the planner, so that it plans the statement once and not at each execution.
    FROM unnest((SELECT ${places.map(({ runId }) => runId)}::text[]), (SELECT ${places.map(({ after }) => after)}::int[]))
      WITH ORDINALITY AS place(run_id, after, n)
    LEFT JOIN LATERAL (
      SELECT seq, at, type, data FROM run_events
      WHERE run_id = place.run_id AND seq > place.after ORDER BY seq LIMIT (SELECT ${PAGE}::int)) event ON true
    ORDER BY place.n, event.seq`);
  const rows = places.map((): EventRow[] | null => []);
  for (const { place, newest, ...row } of found) {
    const { after } = places[place - 1]!;
    if (row.seq !== null) rows[place - 1]!.push(row);
    else if (newest === 'done' || (newest === null && after > 0)) rows[place - 1] = null;
  }
  return rows;
}

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
   *
   * @param isPastEnd continues after the `done` event, until the abort
   */
  async *follow(
    runId: string,
    after: number,
    signal: AbortSignal,
    isPastEnd = false,
  ): AsyncGenerator<RunEvent> {
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
        if (events === null && !isPastEnd) return;
        for (const event of events ?? []) {
          yield event;
          last = event.seq;
          if (event.type === 'done' && !isPastEnd) return;
        }
        if (events === null || events.length < PAGE) await news.some(signal);
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
