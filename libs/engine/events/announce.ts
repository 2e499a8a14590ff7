import { Prisma, type Database } from '#db/client.js';
import { ASYNC_COMMIT } from '#db/async-commit.js';
import { asService } from '#db/tenant-scope.js';
import { EVENTS_CHANNEL } from './event-log.js';

/** Minimum milliseconds between two notifications of a process. */
const PAUSE_MS = 5;

/**
 * Notifies listeners which runs have new events. Batches runs and sends outside the commits, because a NOTIFY
 * inside a transaction makes all commits of the server wait for each other. A lost notification only delays:
 * followers also poll the rows.
 */
class Announcer {
  private readonly runs = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly db: Database) {}

  add(runId: string): void {
    this.runs.add(runId);
    if (this.timer) return;
    // Send the first notification immediately, and batch further ones during the pause.
    this.timer = setTimeout(() => this.next(), PAUSE_MS);
    this.timer.unref();
    // Send as the service: the batch may contain runs of any tenant.
    void asService(() => this.send());
  }

  private next(): void {
    this.timer = null;
    const [first] = this.runs;
    if (first !== undefined) this.add(first);
  }

  private async send(): Promise<void> {
    const ids = [...this.runs];
    this.runs.clear();
    await this.db
      .$statement(
        Prisma.sql`
      SELECT ${ASYNC_COMMIT}, pg_notify(${EVENTS_CHANNEL}, id)
      FROM unnest(${ids}::text[]) id`,
      )
      .catch(() => undefined);
  }
}

const announcers = new WeakMap<Database, Announcer>();

/** Notifies listeners that a run has new events. Call it after the commit. */
export function announce(db: Database, runId: string): void {
  let announcer = announcers.get(db);
  if (!announcer) announcers.set(db, (announcer = new Announcer(db)));
  announcer.add(runId);
}
