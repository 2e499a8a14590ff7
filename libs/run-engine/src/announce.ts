import { Prisma, type Database } from '#db/client.js';
import { ASYNC_COMMIT } from '#db/async-commit.js';
import { asService } from '#db/tenant-scope.js';
import { EVENTS_CHANNEL } from './event-log.js';

/** Milliseconds between two announcements of a process. */
const PAUSE_MS = 5;

/**
 * Tells listeners which runs have new events, for many runs at once and apart from the commits: a NOTIFY inside a
 * transaction makes all commits of the server wait for each other. One that is lost costs nothing but time, since whoever
 * follows a run also looks at the rows now and then.
 */
class Announcer {
  private readonly runs = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly db: Database) {}

  add(runId: string): void {
    this.runs.add(runId);
    if (this.timer) return;
    // The first goes out at once; what follows closely is gathered.
    this.timer = setTimeout(() => this.next(), PAUSE_MS);
    this.timer.unref();
    // For all runs at once, whoever announced the first.
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

/** Says that a run has new events; call it after they were committed. */
export function announce(db: Database, runId: string): void {
  let announcer = announcers.get(db);
  if (!announcer) announcers.set(db, (announcer = new Announcer(db)));
  announcer.add(runId);
}
