import type { RunEvent } from '#contracts/events.js';
import type { Database } from '#db/client.js';
import { asService, asTenant, currentTenant } from '#db/tenant-scope.js';
import { eventOf, readLogs, type EventRow, type Place } from './read.js';

/** Maximum positions that one statement reads from. */
const AT_ONCE = 50;

interface Wanted extends Place {
  got: (events: RunEvent[]) => void;
  failed: (error: unknown) => void;
}

/**
 * Reads the logs of runs for their followers. Requests that arrive during a statement of the same tenant, or
 * in the same turn of the event loop, share the next statement: the more runs are followed, the fewer
 * statements each of them needs.
 */
export class LogReader {
  /** Pending requests by tenant; an entry exists while statements of the tenant are running. */
  private readonly waiting = new Map<string | null, Wanted[]>();

  constructor(private readonly db: Database) {}

  /** Reads a page of a run's events after a sequence number, as the caller's tenant. */
  read(runId: string, after: number): Promise<RunEvent[]> {
    const tenantId = currentTenant();
    return new Promise((got, failed) => {
      const wanted = { runId, after, got, failed };
      const waiting = this.waiting.get(tenantId);
      if (waiting) {
        waiting.push(wanted);
        return;
      }
      this.waiting.set(tenantId, [wanted]);
      const readAll = () => this.readAll(tenantId);
      void (tenantId === null ? asService(readAll) : asTenant(tenantId, readAll));
    });
  }

  private async readAll(tenantId: string | null): Promise<void> {
    // Notifications arrive several at a time: wait for all of them before the first statement.
    await Promise.resolve();
    const waiting = this.waiting.get(tenantId)!;
    while (waiting.length > 0) await this.readSome(waiting.splice(0, AT_ONCE));
    this.waiting.delete(tenantId);
  }

  private async readSome(wanted: Wanted[]): Promise<void> {
    try {
      const logs = await readLogs(this.db, wanted);
      wanted.forEach((each, index) => hand(each, logs[index]!));
    } catch (error) {
      for (const { failed } of wanted) failed(error);
    }
  }
}

/** Passes the rows to their request. An invalid event is an error only for the followers of that run. */
function hand({ runId, got, failed }: Wanted, rows: EventRow[]): void {
  try {
    got(rows.map((row) => eventOf(runId, row)));
  } catch (error) {
    failed(error);
  }
}
