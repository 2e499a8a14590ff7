import { runEventSchema, type RunEvent } from '#contracts/events.js';
import type { Database } from '#db/client.js';
import type { NotificationListener } from './listener.js';

const PAGE = 500;
/** Looks at the rows at least this often, in case a notification was lost. */
const POLL_MS = 5_000;

/** The events of a run after a sequence number, oldest first. */
export async function readEvents(
  db: Database,
  runId: string,
  after: number,
  limit = PAGE,
): Promise<RunEvent[]> {
  const rows = await db.runEvent.findMany({
    where: { runId, seq: { gt: after } },
    orderBy: { seq: 'asc' },
    take: limit,
  });
  return rows.map(({ seq, at, type, data }) =>
    runEventSchema.parse({ seq, at: at.toISOString(), run_id: runId, type, data }),
  );
}

/**
 * Follows a run's events from `after` on (the `Last-Event-ID` of server-sent events) until its `done` event or the abort.
 * Rows are the truth; notifications only wake it up.
 */
export async function* followEvents(
  db: Database,
  listener: NotificationListener,
  channel: string,
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  let woken: (() => void) | null = null;
  let pending = false;
  const wake = () => {
    pending = true;
    woken?.();
  };
  const stops = [listener.on(channel, (id) => id === runId && wake()), listener.onReconnect(wake)];
  signal.addEventListener('abort', wake, { once: true });
  const sleep = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      woken = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  try {
    let last = after;
    while (!signal.aborted) {
      pending = false;
      const events = await readEvents(db, runId, last);
      for (const event of events) {
        yield event;
        last = event.seq;
        if (event.type === 'done') return;
      }
      if (events.length === PAGE) continue;
      if (!pending) await sleep();
      woken = null;
    }
  } finally {
    for (const stop of stops) stop();
    signal.removeEventListener('abort', wake);
  }
}
