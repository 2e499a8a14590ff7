import { Prisma, type Database } from '#db/client.js';
import { ASYNC_COMMIT } from '#db/async-commit.js';
import { asService } from '#db/tenant-scope.js';
import { EVENTS_CHANNEL } from './event-log.js';

/** Minimum milliseconds between two notifications of a process. */
const PAUSE_MS = 5;
/** Maximum milliseconds that a step's event waits for others. */
const STEP_MS = 25;

/**
 * Notifies listeners which runs have new events. Batches runs and sends outside the commits, because a NOTIFY
 * inside a transaction makes all commits of the server wait for each other. A lost notification only delays:
 * followers also poll the rows.
 */
class Announcer {
  private readonly runs = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  /** Time of the next notification and the earliest time for one, in `performance.now()` milliseconds. */
  private dueAt = Infinity;
  private freeAt = 0;

  constructor(private readonly db: Database) {}

  add(runId: string, patienceMs: number): void {
    this.runs.add(runId);
    const now = performance.now();
    const dueAt = Math.max(now + patienceMs, this.freeAt);
    if (dueAt >= this.dueAt) return;
    this.dueAt = dueAt;
    if (this.timer) clearTimeout(this.timer);
    if (dueAt <= now) this.notify();
    else this.timer = setTimeout(() => this.notify(), dueAt - now).unref();
  }

  private notify(): void {
    this.timer = null;
    this.dueAt = Infinity;
    this.freeAt = performance.now() + PAUSE_MS;
    // Send as the service: the batch may contain runs of any tenant. `send` never rejects.
    void asService(() => this.send());
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

/**
 * Notifies listeners that a run has new events. Call it after the commit.
 *
 * @param isStep true for events of a step in the middle of a leg, which the notification of another run or of the
 *   leg's end, at most 25 ms later, includes
 */
export function announce(db: Database, runId: string, isStep = false): void {
  let announcer = announcers.get(db);
  if (!announcer) announcers.set(db, (announcer = new Announcer(db)));
  announcer.add(runId, isStep ? STEP_MS : 0);
}
