import type { RunEvent } from '#contracts/events.js';
import type { Database } from '#db/client.js';
import { asService, asTenant, currentTenant } from '#db/tenant-scope.js';
import { eventOf, readLogs, type EventRow, type Place } from './read.js';

/** Places that one statement reads from. */
const AT_ONCE = 50;

interface Wanted extends Place {
  got: (events: RunEvent[]) => void;
  failed: (error: unknown) => void;
}

/**
 * Reads the logs of runs for whoever follows them. What is wanted while a statement of the same tenant is under way, or in the same turn,
 * goes into the next one together: the more runs are followed, the fewer statements each of them takes.
 */
export class LogReader {
  /** What waits, by tenant; there is an entry while statements of the tenant are under way. */
  private readonly waiting = new Map<string | null, Wanted[]>();

  constructor(private readonly db: Database) {}

  /** A page of the events of a run after a sequence number, as the tenant that the caller works for. */
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
    // Notifications come several at a time: all of them are heard before the first statement goes out.
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

/** An event that cannot be read is the trouble of its own run's followers. */
function hand({ runId, got, failed }: Wanted, rows: EventRow[]): void {
  try {
    got(rows.map((row) => eventOf(runId, row)));
  } catch (error) {
    failed(error);
  }
}
